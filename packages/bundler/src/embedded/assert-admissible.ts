import { decodeSignature, type SignedUserOperation, unpackPaymasterAndData } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { isAddressEqual, size } from 'viem'

/**
 * Maximum gas of validation by what signs: an owner's key (65 bytes), or a contract (a passkey, a session). A
 * validation that passes its simulation can still loop a block later, and then burns its whole limit at the
 * relayer's expense, with that of every operation that is validated before it. Units of gas.
 */
const validationCeilings = { key: 700_000n, contract: 2_000_000n } as const

/** What the deployment of an account, and of its owner's contract, adds. */
const deploymentCeiling = 700_000n

/** What an allowed paymaster may use. */
const paymasterCeiling = 1_000_000n

const bytesOfKeySignature = 65

/**
 * Refuses what could cost the relayer more than an operation may: paymasters that the operator does not know,
 * and validation without a bound. Stake without tracing stops no loop, so it replaces no entry in the list.
 *
 * @throws PAYMASTER_REFUSED, OPERATION_REFUSED
 */
export function assertAdmissible({ config }: Pick<Network, 'config'>, operation: SignedUserOperation): void {
  const { name, local, smartBalance, paymasters } = config
  const paid = unpackPaymasterAndData(operation.paymasterAndData)
  if (paid) {
    const known = [...(smartBalance ? [smartBalance] : []), ...paymasters]
    if (!local && !known.some((one) => isAddressEqual(one, paid.paymaster))) {
      throw new LanyardError('PAYMASTER_REFUSED', {
        message: `The bundler of ${name} does not know the paymaster ${paid.paymaster}. Let the account pay, or ask the operator to add it to paymasters in NETWORKS_FILE.`,
        details: { paymaster: paid.paymaster },
      })
    }
    requireAtMost('paymasterVerificationGasLimit', paid.paymasterVerificationGasLimit, paymasterCeiling)
  }
  const deployment = operation.initCode === '0x' ? 0n : deploymentCeiling
  const ceiling = validationCeilings[kindOfSignature(operation)] + deployment
  requireAtMost('verificationGasLimit', operation.verificationGasLimit, ceiling)
}

/** The kind of what EntryPoint is going to check. Malformed signatures fail their simulation. */
function kindOfSignature({ signature }: Pick<SignedUserOperation, 'signature'>): 'key' | 'contract' {
  if (size(signature) < 12) return 'key'
  return size(decodeSignature(signature).signatures) <= bytesOfKeySignature ? 'key' : 'contract'
}

function requireAtMost(limit: string, gas: bigint, ceiling: bigint): void {
  if (gas <= ceiling) return
  throw new LanyardError('OPERATION_REFUSED', {
    message: `${limit} is ${gas}, and this bundler accepts at most ${ceiling} for this kind of signature. Estimate it with eth_estimateUserOperationGas.`,
    details: { reason: `${limit} is too high`, maxGas: ceiling.toString() },
  })
}
