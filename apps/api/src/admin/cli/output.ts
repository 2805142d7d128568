import { terminal } from './terminal.ts'

/** The output of a command: lines for a person, or one JSON document at the end for a script. */
export interface Output {
  /** A line of the result, on stdout. Nothing under `--json`. */
  say(line: string): void
  /** Progress, on stderr: visible even where stdout is redirected. */
  progress(line: string): void
  /** The result as a document, on stdout. Only under `--json`. */
  finish(result: Readonly<Record<string, unknown>>): void
}

/** Amounts are decimal strings, as in the API. */
export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? member.toString() : member), indent)

export function createOutput({ json }: { readonly json?: boolean | undefined }): Output {
  const { stdout, stderr } = terminal()
  const progress = (line: string) => stderr(`${line}\n`)
  if (json) return { say: () => {}, progress, finish: (result) => stdout(`${toJson(result, 2)}\n`) }
  return { say: (line) => stdout(`${line}\n`), progress, finish: () => {} }
}
