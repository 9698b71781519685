/** What the examples use of Node, for `tsc`. */

declare const process: {
  argv: string[];
  env: { [name: string]: string | undefined };
  once(event: "SIGINT", act: () => void): void;
};
