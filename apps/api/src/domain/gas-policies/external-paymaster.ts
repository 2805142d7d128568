import { type UserOperation, unpackUserOperation } from '@lanyard/accounts'
import { toRequest } from '@lanyard/bundler'
import { address, hex, LanyardError } from '@lanyard/contracts'
import { httpRpc, type Network } from '@lanyard/networks'
import { type Address, createClient, type Hex, isAddressEqual, size } from 'viem'
import { z } from 'zod'
import type { ExternalPaymaster } from './gas-policy.ts'

/** Milliseconds for one answer. */
const timeout = 5_000

/** Maximum size of a whole answer. */
const maxBytes = 65_536

/** Maximum size of `paymasterData`. */
const maxDataBytes = 4_096

/** Maximum units of gas, for validation and for postOp. */
const maxGas = 1_000_000n

/** Why an answer cannot be used. */
class BadAnswer extends Error {
  override readonly name = 'BadAnswer'
}

const gas = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt)
  .refine((value) => value <= maxGas, `more than ${maxGas} gas`)
  .optional()

/** ERC-7677 for EntryPoint v0.7 and v0.8. */
const answer = z.object({
  paymaster: address,
  paymasterData: hex.refine((value) => size(value) <= maxDataBytes, `more than ${maxDataBytes} bytes`),
  paymasterVerificationGasLimit: gas,
  paymasterPostOpGasLimit: gas,
  isFinal: z.boolean().optional(),
})

type PaymasterAnswer = z.output<typeof answer>

export interface PaymasterClient {
  /** `pm_getPaymasterStubData`: the paymaster fields for the estimate. */
  readonly stub: (operation: UserOperation) => Promise<PaymasterAnswer>
  /**
   * `pm_getPaymasterData`, for the paymaster and the gas that the operation now has.
   *
   * @returns only its data; the other fields stay as requested
   */
  readonly sign: (operation: UserOperation) => Promise<Hex>
}

/**
 * A client of an external paymaster. Any invalid answer is PAYMASTER_FAILED. The reason repeats none of the
 * paymaster's text, which may contain anything.
 *
 * @param onFailure - receives the whole error.
 */
export function createPaymasterClient(
  network: Network,
  { url, context }: ExternalPaymaster,
  onFailure: (error: unknown) => void,
): PaymasterClient {
  const { chainId, config } = network
  const endpoint = url.replaceAll('{chainId}', String(chainId))
  const client = createClient({ transport: httpRpc(endpoint, { timeout, maxBytes }) })
  const chain = `0x${chainId.toString(16)}` as const

  async function ask(method: string, operation: UserOperation): Promise<PaymasterAnswer> {
    const params = [toRequest(operation), operation.entryPoint ?? config.entryPoint, chain, context]
    // viem types only the methods that it knows.
    const result: unknown = await client.request({ method, params } as never)
    const parsed = answer.safeParse(result)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const isForOlder = typeof result === 'object' && result !== null && 'paymasterAndData' in result
    throw new BadAnswer(
      isForOlder
        ? 'it answers for EntryPoint v0.6'
        : `its answer to ${method} is malformed at ${issue?.path.join('.') || 'its root'}`,
    )
  }

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LanyardError) throw error
      onFailure(error)
      const reason = error instanceof BadAnswer ? error.message : 'it did not answer, or refused'
      throw new LanyardError('PAYMASTER_FAILED', {
        message: `The external paymaster on ${config.name} failed: ${reason}. Nothing was built, and no other payer replaces it. Try again, or let the account pay.`,
      })
    }
  }

  return {
    stub: (operation) => guarded(() => ask('pm_getPaymasterStubData', operation)),
    sign: (operation) =>
      guarded(async () => {
        const requested = unpackUserOperation(operation)
        const answered = await ask('pm_getPaymasterData', operation)
        requireSame(requested, answered)
        return answered.paymasterData
      }),
  }
}

interface Requested {
  readonly paymaster?: Address | undefined
  readonly paymasterData?: Hex | undefined
  readonly paymasterVerificationGasLimit?: bigint | undefined
  readonly paymasterPostOpGasLimit?: bigint | undefined
}

/** The signed values must equal the estimated and reserved ones. */
function requireSame(requested: Requested, answered: PaymasterAnswer): void {
  if (!requested.paymaster || !isAddressEqual(requested.paymaster, answered.paymaster))
    throw new BadAnswer('it signed for another paymaster than it named first')
  for (const limit of ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'] as const) {
    if (answered[limit] !== undefined && answered[limit] !== requested[limit])
      throw new BadAnswer(`it changed ${limit}`)
  }
  if (size(answered.paymasterData) > size(requested.paymasterData ?? '0x'))
    throw new BadAnswer('its data is longer than its stub data for the estimate')
}
