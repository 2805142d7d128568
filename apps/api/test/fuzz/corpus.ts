import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const folder = new URL('corpus/', import.meta.url)

const kinds = ['ceremony', 'raw', 'rest', 'trpc', 'strangeTrpc'] as const
export type CorpusKind = (typeof kinds)[number]

const corpusFile = z.strictObject({
  /** One sentence that describes the problem. */
  what: z.string().min(1),
  kind: z.enum(kinds),
  /** The request, as `forAll` reports it. */
  case: z.unknown(),
})

export interface CorpusCase extends z.infer<typeof corpusFile> {
  /** The name of its file without the extension. */
  readonly name: string
}

/** Reads all requests that once broke a promise, one per file. */
export const readCorpus = (): readonly CorpusCase[] =>
  readdirSync(folder)
    .toSorted()
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      ...corpusFile.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
    }))
