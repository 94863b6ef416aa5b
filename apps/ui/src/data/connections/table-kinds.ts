import { Eye, Layers, Table2 } from 'lucide-react';

/** The icon and the word for each kind of table. */
export const tableKinds = {
  table: { icon: Table2, label: 'Table' },
  view: { icon: Eye, label: 'View' },
  collection: { icon: Layers, label: 'Collection' },
};
