import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type UserExport, userExport, userExportVersion } from './user-export.ts'

/** One entry of a file of exported users. */
export type Entry =
  | { readonly document: UserExport }
  /** The entry cannot be used, with the reason in words. */
  | { readonly problem: string }
  /** The last line of a file with several users. */
  | { readonly users: number }

const end = z.strictObject({ format: z.literal('lanyard-end'), users: z.int() })
const anyVersion = z.looseObject({ format: z.literal('lanyard-user'), version: z.int() })

/**
 * Reads a file with one document, formatted over any number of lines, or with one document per line. In the
 * second form, only one line at a time is kept in memory.
 */
export async function* readDocuments(input: NodeJS.ReadableStream): AsyncGenerator<Entry> {
  let held = ''
  let whole = false
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    // The first line decides: it is a complete document, or the start of one.
    if (held === '' && !whole && parseJson(line) === undefined) held = `${line}\n`
    else if (held !== '') held += `${line}\n`
    else {
      whole = true
      yield toEntry(parseJson(line))
    }
  }
  if (held !== '') yield toEntry(parseJson(held))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toEntry(value: unknown): Entry {
  const ended = end.safeParse(value)
  if (ended.success) return { users: ended.data.users }
  const known = anyVersion.safeParse(value)
  if (!known.success) return { problem: 'it is not a document of `lanyard export`' }
  const { version } = known.data
  if (version !== userExportVersion)
    return {
      problem: `it has version ${version} of the format, and this version of Lanyard reads ${userExportVersion}`,
    }
  const parsed = userExport.safeParse(value)
  if (parsed.success) return { document: parsed.data }
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  return { problem: issues.slice(0, 5).join('; ') }
}
