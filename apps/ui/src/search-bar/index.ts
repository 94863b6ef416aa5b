export { SearchBar, type SearchBarHandle } from './search-bar.tsx';
export {
  newSearchDraft,
  refusalOf as searchRefusal,
  type SearchDraft,
  searchDetail,
  searchNear,
  searchTitle,
  type TableSearch,
} from './search-draft.ts';
