import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const folder = new URL('corpus/', import.meta.url)

const kinds = ['ceremony', 'raw', 'rest', 'trpc', 'strangeTrpc'] as const
export type CorpusKind = (typeof kinds)[number]

const corpusFile = z.strictObject({
  /** What went wrong, in a sentence. */
  what: z.string().min(1),
  kind: z.enum(kinds),
  /** As `forAll` reports it. */
  case: z.unknown(),
})

export interface CorpusCase extends z.infer<typeof corpusFile> {
  /** Of its file, without the ending. */
  readonly name: string
}

/** Everything that once broke a promise, a file each. */
export const readCorpus = (): readonly CorpusCase[] =>
  readdirSync(folder)
    .toSorted()
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      ...corpusFile.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
    }))
