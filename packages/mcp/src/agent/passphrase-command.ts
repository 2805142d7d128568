import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SettingsError } from './settings.ts'

/**
 * The program and the parameters of a command, as a shell reads quotes: `secret-tool lookup service 'my agent'`. Nothing
 * else of a shell is known, so no character of a parameter has a meaning.
 *
 * @throws SettingsError for a quote that does not end, or no program
 */
export function readCommand(text: string): readonly string[] {
  const words = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gs) ?? []
  if (words.length === 0 || text.replace(/\s/g, '') !== words.join('').replace(/\s/g, ''))
    throw new SettingsError(`--passphrase-command is no command: ${text}. A quote may not end.`)
  return words.map((word) =>
    word.replace(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs,
      (_, double?: string, single?: string, escaped?: string) =>
        double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? '',
    ),
  )
}

/**
 * The first line that a program prints, as password managers and keychains do.
 *
 * @throws SettingsError if it fails
 */
export async function readPassphrase([program = '', ...parameters]: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, parameters)
    return stdout.split('\n')[0] ?? ''
  } catch (cause) {
    throw new SettingsError(`passphraseCommand failed: ${program}`, { cause })
  }
}
