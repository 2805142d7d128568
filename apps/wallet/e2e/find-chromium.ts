import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The shell has no windows to draw, which a run would pay for. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** Printed if the browser suite cannot run. */
export const withoutChromium =
  'The browser suite is skipped: no Chromium here. Add it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.'

/** CHROMIUM_PATH, or the first Chromium on the PATH. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  const candidates = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  return [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []), ...candidates].find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
