export interface StdioCommand {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}
