import {
  accountTraits,
  delegationInitCode,
  type ForeignPart,
  type SignedUserOperation,
  unpackPaymasterAndData,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { entryPointsOf, type Network } from '@lanyard/networks'
import { isAddressEqual } from 'viem'
import { bytesInBundle } from '../bundle-gas.ts'
import { hasEntryPoint, usesEntryPoint08 } from '../entry-point/entry-point.ts'
import { hasOwnPaymaster, paymasterOf } from '../own-paymasters.ts'

/**
 * Maximum gas of validation by what signs: an owner's key (65 bytes), or a contract (a passkey, a session). A
 * validation that passes its simulation can still loop a block later, and then burns its whole limit at the
 * relayer's expense, with that of every operation that is validated before it. Units of gas.
 */
const validationCeilings = { key: 700_000n, contract: 2_000_000n } as const

/**
 * The same for a sender whose validation may run foreign code, whatever signs. Nothing that it passes in a
 * simulation shows what it does on chain, so this is what the first operation of an attacker costs.
 */
const externalCeiling = 300_000n

/**
 * The same for a delegated EOA: its owner can exchange the code while the bundle is in the pool, with many others in one
 * cheap transaction. Builds ask for at most half of it.
 */
const delegatedCeiling = 120_000n

/** What the deployment of an account, and of its owner's contract, adds. */
const deploymentCeiling = 700_000n

/** What an allowed paymaster may use. */
const paymasterCeiling = 1_000_000n

/**
 * Refuses what could cost the relayer more than an operation may: paymasters that the operator does not know,
 * and validation without a bound. Stake without tracing stops no loop, so it replaces no entry in the list.
 *
 * @throws PAYMASTER_REFUSED, OPERATION_REFUSED
 */
export function assertAdmissible(network: Pick<Network, 'config'>, operation: SignedUserOperation): void {
  assertKnownEntryPoint(network, operation)
  assertKnownPaymaster(network, operation)
  const paid = unpackPaymasterAndData(operation.paymasterAndData)
  if (paid) {
    requireAtMost('paymasterVerificationGasLimit', paid.paymasterVerificationGasLimit, paymasterCeiling)
  }
  const { verificationGasLimit } = operation
  const { ownerReplacesCode, signedBy } = accountTraits(operation)
  if (ownerReplacesCode) {
    requireAtMost('verificationGasLimit', verificationGasLimit, delegatedCeiling, 'a delegated EOA')
    return
  }
  const deployment = operation.initCode === '0x' ? 0n : deploymentCeiling
  const ceiling = validationCeilings[signedBy] + deployment
  requireAtMost('verificationGasLimit', verificationGasLimit, ceiling)
}

/**
 * Refuses an EntryPoint that the network does not have, and for that of delegated EOAs an `initCode` that runs anything
 * besides.
 *
 * @throws OPERATION_REFUSED
 */
export function assertKnownEntryPoint(
  { config }: Pick<Network, 'config'>,
  operation: Pick<SignedUserOperation, 'entryPoint' | 'initCode'>,
): void {
  if (!hasEntryPoint({ config }, operation)) {
    throw new LanyardError('OPERATION_REFUSED', {
      message: `${config.name} has no operations for the entry point ${operation.entryPoint}: it has ${entryPointsOf(config).join(', ')}.`,
    })
  }
  if (!usesEntryPoint08(operation)) return
  if (operation.initCode === '0x' || operation.initCode === delegationInitCode) return
  throw new LanyardError('OPERATION_REFUSED', {
    message:
      'An operation for EntryPoint v0.8 has no initCode, or exactly the one of EIP-7702 (factory 0x7702).',
  })
}

/**
 * Refuses paymasters that the operator does not know. Estimates check this too, so that nobody signs an operation
 * that is refused afterwards.
 *
 * @throws PAYMASTER_REFUSED
 */
export function assertKnownPaymaster(
  { config }: Pick<Network, 'config'>,
  operation: Pick<SignedUserOperation, 'paymasterAndData' | 'entryPoint'>,
): void {
  if (operation.paymasterAndData === '0x') return
  const { name, local, smartBalance, paymasters } = config
  const paymaster = paymasterOf(operation)
  if (paymaster === undefined) return
  if (smartBalance && isAddressEqual(smartBalance, paymaster) && usesEntryPoint08(operation)) {
    throw new LanyardError('PAYMASTER_REFUSED', {
      message: `The service's own paymaster works with EntryPoint v0.7 only. A delegated EOA (EIP-7702) pays its own gas, or an external paymaster does.`,
      details: { paymaster },
    })
  }
  if (local) return
  if (hasOwnPaymaster(config, operation) || paymasters.some((one) => isAddressEqual(one, paymaster))) return
  throw new LanyardError('PAYMASTER_REFUSED', {
    message: `The bundler of ${name} does not know the paymaster ${paymaster}. Let the account pay, or ask the operator to add it to paymasters in NETWORKS_FILE.`,
    details: { paymaster },
  })
}

/**
 * Most bytes of an operation that may revert, while nothing vouches for its account: a relayer pays for the data whatever
 * the validation does (40 gas for a byte, EIP-7623).
 */
const maxUnprovenBytes = 6_144

/**
 * Why an operation would cost too much if it reverted, while nothing vouches for its account.
 *
 * @returns OPERATION_REFUSED
 */
export function rejectionForUnproven(
  operation: SignedUserOperation,
  external: ForeignPart | undefined,
): LanyardError | undefined {
  const bytes = bytesInBundle(operation)
  if (bytes > maxUnprovenBytes) {
    return new LanyardError('OPERATION_REFUSED', {
      message: `The operation has ${bytes} bytes, and this bundler accepts at most ${maxUnprovenBytes} ${external ? `of ${externalParts[external]}` : 'until the account has paid for an operation here'}.`,
      details: { reason: 'too many bytes', maxBytes: String(maxUnprovenBytes) },
    })
  }
  if (!external) return undefined
  const { verificationGasLimit } = operation
  const kind = externalParts[external]
  return rejectionAbove('verificationGasLimit', verificationGasLimit, externalCeiling, kind)
}

const externalParts = {
  singleton: 'an account with another singleton than the one that this service deploys',
  handler: 'an account with another fallback handler than the one that this service sets',
  guard: 'an account with a guard',
  modules: 'an account with modules that this service does not know',
  signer: 'a signer contract that this service does not know',
  initCode: 'an account that is deployed in another way than by this service',
} as const satisfies Record<ForeignPart, string>

function requireAtMost(limit: string, gas: bigint, ceiling: bigint, kind = 'this kind of signature'): void {
  const rejection = rejectionAbove(limit, gas, ceiling, kind)
  if (rejection) throw rejection
}

function rejectionAbove(limit: string, gas: bigint, ceiling: bigint, kind: string): LanyardError | undefined {
  if (gas <= ceiling) return undefined
  return new LanyardError('OPERATION_REFUSED', {
    message: `${limit} is ${gas}, and this bundler accepts at most ${ceiling} for ${kind}. Estimate it with eth_estimateUserOperationGas.`,
    details: { reason: `${limit} is too high`, maxGas: ceiling.toString() },
  })
}
