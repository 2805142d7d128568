import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SettingsError } from './settings.ts'

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
