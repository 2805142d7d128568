import { writeFile } from 'node:fs/promises'
import type { Address, Hex } from 'viem'
import { CliError } from './cli-error.ts'

/** One transaction of the owner: a key sends it, or the people of a multisig do. */
export interface OwnerCall {
  /** In the imperative: `Would …`, `Done: …`. */
  readonly description: string
  readonly to: Address
  readonly data: Hex
  /** wei. Default: 0. */
  readonly value?: bigint
}

interface Batch {
  readonly chainId: number
  readonly safe: Address
  readonly calls: readonly OwnerCall[]
  readonly createdAt: Date
}

/**
 * A file for the Transaction Builder of a Safe (its format 1.0): people load it there, see the calls, and sign them together.
 */
const safeBatch = ({ chainId, safe, calls, createdAt }: Batch) => ({
  version: '1.0',
  chainId: String(chainId),
  createdAt: createdAt.getTime(),
  meta: {
    name: 'lanyard',
    description: calls.map(({ description }) => description).join('; '),
    txBuilderVersion: '1.18.0',
    createdFromSafeAddress: safe,
    createdFromOwnerAddress: '',
  },
  transactions: calls.map(({ to, data, value = 0n }) => ({
    to,
    value: String(value),
    data,
    contractMethod: null,
    contractInputsValues: null,
  })),
})

/**
 * Writes it; an existing file is kept.
 *
 * @throws CliError `FILE_NOT_WRITTEN`
 */
export async function writeSafeBatch(path: string, batch: Batch): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(safeBatch(batch), null, 2)}\n`, { flag: 'wx' })
  } catch (cause) {
    const why =
      cause instanceof Error && 'code' in cause && cause.code === 'EEXIST' ? 'it exists' : 'see above'
    throw new CliError(
      'FILE_NOT_WRITTEN',
      `${path} was not written (${why}). Name another one with --batch.`,
      {
        cause,
      },
    )
  }
}

/** The lines that say what to send, for any wallet. */
export const callLines = (calls: readonly OwnerCall[]): string[] =>
  calls.flatMap(({ description, to, data, value = 0n }) => [
    `  ${description}`,
    `    to    ${to}`,
    `    value ${value}`,
    `    data  ${data}`,
  ])
