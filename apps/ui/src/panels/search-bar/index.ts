export { SearchBar, type SearchBarHandle } from './search-bar.tsx';
export {
  needsVector,
  newSearchDraft,
  readSearch,
  refusalOf as searchRefusal,
  type SearchDraft,
  searchDetail,
  searchNear,
  searchTitle,
  type TableSearch,
} from './search-draft.ts';
