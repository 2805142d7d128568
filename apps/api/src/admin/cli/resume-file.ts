import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import { type DifferenceKind, differenceKinds } from '../maintenance/repair/difference.ts'
import { toJson } from './output.ts'

const kinds = Object.keys(differenceKinds) as [DifferenceKind, ...DifferenceKind[]] // it returns string[]
const said = z.record(z.string(), z.unknown())

/** A difference in the form that is shown. */
const report = z.strictObject({
  kind: z.enum(kinds),
  network: z.int(),
  account: z.string(),
  subject: z.string(),
  database: said,
  chain: said,
  repairable: z.boolean(),
  repaired: z.boolean(),
})
export type Report = Readonly<z.output<typeof report>>

const contents = z.strictObject({
  network: z.int(),
  nextBlock: z.string().regex(/^\d+$/).transform(BigInt),
  differences: z.array(report),
})

export interface ResumeState {
  readonly network: number
  /** The first block that is not read yet. */
  readonly nextBlock: bigint
  readonly differences: readonly Report[]
}

/**
 * Reads the progress of an earlier run.
 *
 * @returns undefined when there was none
 * @throws ConfigurationError when the file has other contents, or is for another network
 */
export async function readResumeFile(path: string, network: number): Promise<ResumeState | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigurationError(path, [`it cannot be read (${error.code})`])
  })
  if (text === undefined) return undefined
  const parsed = contents.safeParse(parseJson(text))
  if (!parsed.success) throw new ConfigurationError(path, ['it is not a file of `lanyard repair --resume`'])
  if (parsed.data.network === network) return parsed.data
  throw new ConfigurationError(path, [`it is for network ${parsed.data.network}, not ${network}`])
}

/** Written atomically: a run that is killed leaves either the complete old file or the complete new one. */
export async function writeResumeFile(path: string, state: ResumeState): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, toJson({ ...state, nextBlock: state.nextBlock.toString() }, 2))
  await rename(temporary, path)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
