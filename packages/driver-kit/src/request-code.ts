/** A request as code. It contains no secret of the connection. */
export interface RequestCode {
  /** The tab's label: `GraphQL`, `Python`. */
  label: string;
  /** For the file extension and the highlighting: `graphql`, `http`, `python`, `typescript`, `sql`. */
  language: string;
  text: string;
}
