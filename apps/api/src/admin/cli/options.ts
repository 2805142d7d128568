import { type Command, InvalidArgumentError } from 'commander'
import type { Address } from 'viem'
import { formatUnits, getAddress, isAddress, parseUnits } from 'viem/utils'

/** Decimals of all amounts of the smart balance, regardless of the token's decimals. */
const unitDecimals = 6

/** Options of every command on a network. */
export interface NetworkOptions {
  readonly network: number
  readonly json?: boolean
}

/** Additional options of every command that sends transactions. */
export interface SendOptions extends NetworkOptions {
  readonly dryRun?: boolean
  readonly yes?: boolean
  /** A multisig or another contract that sends the calls; the command then needs no key. */
  readonly safe?: Address
  readonly batch?: string
}

export const withJson = (command: Command): Command =>
  command.option('--json', 'print one JSON document on stdout instead of text')

export const withNetwork = (command: Command): Command =>
  withJson(command.requiredOption('--network <chainId>', 'a network of NETWORKS_FILE', parseChainId))

export const withSending = (command: Command): Command =>
  withNetwork(command)
    .option('--dry-run', 'show what would be sent, and send nothing')
    .option('--yes', 'send without asking')
    .option(
      '--safe <address>',
      'send nothing: this multisig is the owner; write the calls to a file for its Transaction Builder',
      parseAddress,
    )
    .option('--batch <file>', 'that file (default: safe-batch-<chainId>.json)')

export function parseChainId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a chain id, such as 8453.')
}

/** For repeatable options. */
export function collectAddresses(text: string, earlier: readonly Address[] = []): readonly Address[] {
  return [...earlier, parseAddress(text)]
}

export function parseAddress(text: string): Address {
  // Strict: mixed case is a checksum, which must be valid.
  if (isAddress(text)) return getAddress(text)
  throw new InvalidArgumentError(
    'Expected an address: 0x and 40 hex digits, with a valid checksum if the case is mixed.',
  )
}

export function parseCount(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number from 1.')
}

export function parseBlock(text: string): bigint {
  if (/^\d{1,15}$/.test(text)) return BigInt(text)
  throw new InvalidArgumentError('Expected a block number.')
}

/** An amount of tokens, such as 1000.5, in units with 6 decimals. */
export const parseTokens = (text: string): bigint => parseAmount(text, unitDecimals)

/** An amount of the native coin, such as 0.1, in wei. */
export const parseNative = (text: string): bigint => parseAmount(text, 18)

function parseAmount(text: string, decimals: number): bigint {
  const fraction = /^\d{1,20}(?:\.(\d+))?$/.exec(text)
  // viem would round an amount with too many digits.
  if (fraction && (fraction[1]?.length ?? 0) <= decimals) return parseUnits(text, decimals)
  throw new InvalidArgumentError(`Expected an amount such as 1000.5, with at most ${decimals} decimals.`)
}

export const formatTokens = (units: bigint): string => formatUnits(units, unitDecimals)
