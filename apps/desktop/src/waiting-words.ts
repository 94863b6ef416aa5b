/** Says that questions of clients wait, and how to see them. An app of an older version sends no number. */
export function waitingWords(questions: number): string {
  const waiting =
    questions === 1 ? '1 question of an AI client waits' : `${questions} questions of AI clients wait`;
  return `${waiting} for you: \`trestle approvals\``;
}
