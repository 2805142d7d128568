import {
  type Call,
  calculatePreVerificationGas,
  encodeCalls,
  encodeInitCode,
  encodeSignature,
  requiredPrefund,
  type SignedUserOperation,
  safeOperationTypedData,
  stubSignature,
  type UserOperation,
} from '@lanyard/accounts'
import { type Hash, isAddressEqual } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { RecoveryError } from '../recovery-error.ts'
import { shortAmount } from '../words.ts'
import type { Carrier, GasLimits } from './deliver.ts'
import type { Sending } from './sending.ts'

/** No time limits: EntryPoint's nonce already prevents a second execution. */
const validity = { validAfter: 0, validUntil: 0 }

/**
 * Executes the calls in a user operation whose gas the account pays from its own native coin. If the last
 * call moves the whole balance, its amount is reduced by the operation's maximum cost. EntryPoint keeps the
 * unused part.
 *
 * @throws RecoveryError NOT_AN_OWNER, UNUSABLE_ASSERTION, CANNOT_PAY, FAILED
 */
export async function sendOperation(
  sending: Sending,
  carrier: Carrier,
  calls: readonly Call[],
): Promise<Hash> {
  const { connection, kit, state, signer, holdings } = sending
  const { client, chain } = connection
  const draft = await prepare(sending, calls)
  const stub: SignedUserOperation = { ...draft, signature: stubSignature({ kind: signer.kind }, validity) }
  const limits = withMargin((await carrier.estimate?.(stub)) ?? generousLimits(sending, stub, calls.length))
  const costly: UserOperation = { ...draft, ...limits }

  const cost = requiredPrefund(costly)
  const missing = cost > holdings.gasDeposit ? cost - holdings.gasDeposit : 0n
  const operation = { ...costly, callData: encodeCalls(keepBack(sending, calls, missing), kit.deployment) }

  const message = safeOperationTypedData(operation, { chainId: chain.id, ...validity, ...kit.deployment })
  const signatures = await signer.sign({ client, account: kit.account, state, message })
  return carrier.deliver({ ...operation, signature: encodeSignature({ ...validity, signatures }) })
}

async function prepare({ connection, kit, state }: Sending, calls: readonly Call[]): Promise<UserOperation> {
  const { client } = connection
  const { account, deployment } = kit
  const [nonce, fees] = await Promise.all([
    client.readContract({
      address: deployment.entryPoint,
      abi: entryPoint07Abi,
      functionName: 'getNonce',
      args: [account, 0n],
    }),
    client.estimateFeesPerGas(),
  ])
  return {
    sender: account,
    nonce,
    initCode: state.deployed ? '0x' : encodeInitCode(kit.owner, deployment),
    // Moving the whole native balance cannot be simulated while the account also pays for gas.
    callData: encodeCalls(calls.map(lessNative(account)), deployment),
    verificationGasLimit: 0n,
    callGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    paymasterAndData: '0x',
  }
}

/** The same call with the smallest amount that costs the same gas. */
const lessNative =
  (account: Call['to']) =>
  (call: Call): Call =>
    call.value > 0n && !isAddressEqual(call.to, account) ? { ...call, value: 1n } : call

const withMargin = ({ verificationGasLimit, callGasLimit, preVerificationGas }: GasLimits): GasLimits => ({
  verificationGasLimit: (verificationGasLimit * 11n) / 10n,
  callGasLimit: (callGasLimit * 11n) / 10n,
  preVerificationGas,
})

/**
 * Limits for carriers that cannot simulate: above the highest gas use seen. The account pays for the gas
 * used, plus a tenth of the unused gas.
 */
const generousLimits = ({ state, signer }: Sending, stub: SignedUserOperation, calls: number): GasLimits => ({
  // A deployment takes 300k.
  verificationGasLimit: signer.verificationGas + (state.deployed ? 0n : 500_000n),
  callGasLimit: 60_000n + 90_000n * BigInt(calls),
  preVerificationGas: calculatePreVerificationGas(stub),
})

/** @throws RecoveryError CANNOT_PAY */
function keepBack(
  { holdings, connection }: Sending,
  calls: readonly Call[],
  missing: bigint,
): readonly Call[] {
  const last = calls.at(-1)
  const sent = last?.value ?? 0n
  const left = holdings.native - sent
  if (missing <= left || last === undefined) return calls
  const lessened = holdings.native - missing
  if (lessened < 0n) {
    const { symbol, decimals } = connection.chain.nativeCurrency
    throw new RecoveryError(
      'CANNOT_PAY',
      `The operation may cost ${shortAmount(missing, decimals)} ${symbol}, and the account has ${shortAmount(holdings.native, decimals)} on this network. Let one of your keys pay instead.`,
    )
  }
  return lessened === 0n ? calls.slice(0, -1) : [...calls.slice(0, -1), { ...last, value: lessened }]
}
