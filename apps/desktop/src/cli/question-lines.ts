import { bridgeTokenName, type PendingApproval } from '@trestle/core';

/** A question as lines for a terminal. All texts of the client are made safe to print. */
export function questionLines(
  question: PendingApproval,
  now: Date,
  { withCommands = true }: { withCommands?: boolean } = {},
): string {
  const { shortId, title, may, wants, clientWaits, connection, expiresAt } = question;
  const minutes = Math.max(1, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 60_000));
  const statement = 'statement' in question ? question.statement : null;
  const addresses = question.kind === 'endpoint' ? question.endpoints : [];
  const reason = 'reason' in question ? question.reason : null;
  const through =
    question.tokenName === bridgeTokenName ? 'the bridge trestle-mcp' : `token "${question.tokenName}"`;
  return [
    `${shortId}  ${oneLine(title)}`,
    `  ${oneLine(may)}`,
    // The client's own texts come first: a long one would push the other lines away from the prompt for the passphrase.
    ...(statement === null ? [] : [`  Statement:  ${indented(exactText(statement))}`]),
    ...(reason === null ? [] : [`  Reason:     ${indented(exactText(reason))}`]),
    ...addresses.map(({ setting, value }) => `  Address:    ${oneLine(value)}, in ${oneLine(setting)}`),
    `  Wants:      ${oneLine(wants)}`,
    `  Client:     ${oneLine(question.clientName)} (the name it gives itself), through ${oneLine(through)}`,
    `  Connection: ${oneLine(connection.name)}`,
    `  Driver:     ${oneLine(question.driver)}`,
    `  Expires:    in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}${clientWaits ? '' : '; your answer counts for the next try of the client'}`,
    ...(withCommands
      ? [`  Answer:     \`trestle approvals allow ${shortId}\` or \`trestle approvals refuse ${shortId}\``]
      : []),
  ].join('\n');
}

/**
 * Shows control, format and other invisible characters by their code, except line breaks and tabs. They could reverse
 * the order of the text, hide a part of it, or send commands to the terminal.
 */
function exactText(text: string): string {
  const name = (sign: string) => `⟨U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  return text.replace(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, name);
}

/** A line break in a name could start a line that looks like ours. */
function oneLine(text: string): string {
  return exactText(text.replace(/[\n\t]/g, ' '));
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(14)}`);
}
