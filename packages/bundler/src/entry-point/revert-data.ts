import { BaseError, type Hex, isHex } from 'viem'

/**
 * The revert data of a simulated call, extracted from the error of a node or a bundler: `data` as hex (geth,
 * anvil, reth), `data.data` (older hardhat), or within a text (`Reverted 0x…`, Nethermind).
 *
 * @returns undefined if the error is not a revert, `0x` if it reverted without data.
 */
export function revertDataOf(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined
  let found: Hex | undefined
  error.walk((inner) => {
    found = dataOf(inner)
    return found !== undefined
  })
  if (found !== undefined) return found
  const says = error.walk(
    (inner) =>
      inner instanceof Error &&
      (inner.name === 'ExecutionRevertedError' || /execution reverted/i.test(inner.message)),
  )
  return says ? '0x' : undefined
}

function dataOf(error: unknown): Hex | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined
  const { data } = error
  if (isHex(data)) return data
  if (typeof data === 'string') return /0x(?:[0-9a-f]{2})+/i.exec(data)?.[0] as Hex | undefined // the expression starts with 0x
  return dataOf(data)
}

/** Whether a node responded with an error, as opposed to no response at all. */
export const isAnswer = (error: unknown) =>
  error instanceof BaseError &&
  error.walk((inner) => inner instanceof Error && 'code' in inner && typeof inner.code === 'number') !== null
