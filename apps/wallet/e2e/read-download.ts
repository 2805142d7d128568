import { text } from 'node:stream/consumers'
import type { Download } from 'playwright-core'

/** What the page has offered to save. A path to it exists only in the process that started the browser. */
export const readDownload = async (download: Download): Promise<string> =>
  text(await download.createReadStream())
