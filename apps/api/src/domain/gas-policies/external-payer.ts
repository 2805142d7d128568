import { type Call, requiredPrefund, type UserOperation, unpackPaymasterAndData } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import type { Logger } from 'pino'
import { concat, type Hex, numberToHex } from 'viem'
import { type AnyWallet, accountOf, initCodeOf } from '../accounts/accounts/wallet.ts'
import type { BuildTarget, Payer } from '../operations/build-request.ts'
import { readAccountState } from '../operations/prepare/account-state.ts'
import { createPaymasterClient } from './external-paymaster.ts'
import type { ExternalPaymaster } from './gas-policy.ts'
import type { PolicyBudget } from './policy-budget.ts'
import { readDeposit } from './read-deposit.ts'
import { requireFairFees } from './require-fair-fees.ts'

interface ExternalRequest extends BuildTarget<AnyWallet> {
  readonly paymaster: ExternalPaymaster
  readonly policy: string
  readonly budget: PolicyBudget
  readonly calls: readonly Call[] | undefined
  /** Present when it differs from the call data of an owner's operation. */
  readonly callData?: Hex | undefined
}

/** The gas units that validation gets before anything is estimated: three bytes, none of them zero. */
const draftGas = 0x01_01_01n

/** Extra cost of a non-zero byte of call data (EIP-2028), in units of gas. */
const nonZeroByteGas = 12n

/**
 * An external paymaster pays, as ERC-7677 defines: it supplies stub data for the estimate, and its signature
 * once the gas is known. The maximum cost is still taken from the policy's budgets.
 *
 * @throws PAYMASTER_FAILED, NETWORK_UNAVAILABLE, NETWORK_FAILED; when consenting also PAYMASTER_REFUSED
 */
export async function externalPayer(
  { log }: { readonly log: Logger },
  { wallet, network, calls = [], callData, paymaster, policy, budget }: ExternalRequest,
): Promise<Payer> {
  const client = createPaymasterClient(network, paymaster, (error) =>
    log.warn({ err: error, policy, network: network.chainId }, 'an external paymaster failed'),
  )
  const [state, fees, block] = await Promise.all([
    readAccountState(network, wallet),
    network.fees(),
    network.call((chain) => chain.getBlock()),
  ])
  const stub = await client.stub({
    sender: wallet.address,
    nonce: state.sequences[0] ?? 0n,
    initCode: initCodeOf(wallet, network, state),
    callData: callData ?? accountOf(wallet).encodeCalls(calls),
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    paymasterAndData: '0x',
    entryPoint: wallet.deployment.entryPoint,
  })
  const { paymasterPostOpGasLimit: stubPostOpGas = 0n } = stub
  const pack = (verificationGas: bigint, postOpGas: bigint, data: Hex = stub.paymasterData): Hex =>
    concat([
      stub.paymaster,
      numberToHex(verificationGas, { size: 16 }),
      numberToHex(postOpGas, { size: 16 }),
      data,
    ]).toLowerCase() as Hex // still hex

  async function sign(operation: UserOperation): Promise<Hex> {
    const gas = unpackPaymasterAndData(operation.paymasterAndData)
    if (!gas) throw new LanyardError('INTERNAL', { cause: 'a draft without its paymaster' })
    const [deposit, data] = await Promise.all([
      readDeposit(network, wallet.deployment.entryPoint, stub.paymaster),
      stub.isFinal ? stub.paymasterData : client.sign(operation),
    ])
    if (deposit < requiredPrefund(operation)) {
      throw new LanyardError('PAYMASTER_FAILED', {
        message: `The external paymaster on ${network.config.name} cannot pay: its deposit in EntryPoint there is too low. Try again later, or let the account pay.`,
      })
    }
    return pack(gas.paymasterVerificationGasLimit, gas.paymasterPostOpGasLimit, data)
  }

  // The owner's signature expires with the reservation. According to the operator, the paymaster's signature
  // does too.
  const validUntil = Number(block.timestamp) + paymaster.validity
  return {
    filledByService: true,
    maySponsorReverts: false,
    mustBeSteady: true,
    validUntil,
    draft: pack(stub.paymasterVerificationGasLimit ?? draftGas, stubPostOpGas),
    preVerificationShortfall: nonZeroByteGas * zeroBytesIn(stub.paymasterData),
    withGas({
      paymasterVerificationGasLimit = stub.paymasterVerificationGasLimit,
      paymasterPostOpGasLimit = 0n,
    }: GasEstimate) {
      if (paymasterVerificationGasLimit === undefined) {
        throw new LanyardError('BUNDLER_FAILED', {
          cause: 'no paymasterVerificationGasLimit in the estimate',
        })
      }
      const least = stub.paymasterVerificationGasLimit ?? 0n
      return pack(max(paymasterVerificationGasLimit, least), max(paymasterPostOpGasLimit, stubPostOpGas))
    },
    async consent(transaction, operation) {
      requireFairFees(network, fees, operation, budget)
      await budget.require(transaction, operation)
      return { validUntil, paymasterAndData: () => sign(operation) }
    },
    confirm: async () => {},
    record: (transaction, built) =>
      budget.promise(transaction, built, { validUntil, builtAtBlock: Number(block.number) }),
  }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const zeroBytesIn = (data: Hex): bigint =>
  BigInt((data.slice(2).match(/../g) ?? []).filter((byte) => byte === '00').length)
