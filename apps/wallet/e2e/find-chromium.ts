import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Printed if the browser suite cannot run. */
export const withoutChromium =
  'The browser suite is skipped: no Chromium here. Add it (Debian: apt-get install chromium) or set CHROMIUM_PATH.'

/** CHROMIUM_PATH, or the first Chromium on the PATH. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  const candidates = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
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
