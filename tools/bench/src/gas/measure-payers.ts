import { type Call, calculatePreVerificationGas, type UserOperation } from '@lanyard/accounts'
import { devRoles, settlementTokenAddress, smartBalanceAddress } from '@lanyard/devnet'
import { predictTokenPaymasterAddress } from '@lanyard/onchain'
import {
  encodePaymasterAndData,
  encodeTokenFee,
  encodeTokenFeeApproval,
  getOrderTypedData,
  getTokenFeeTypedData,
  stubOperatorSignature,
} from '@lanyard/smart-balance'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { type GasUsed, startBundler } from './bundler.ts'
import { delegated, type Enter, lanyard } from './contestants.ts'
import { eoaOwner } from './owners.ts'

/** Who pays for the gas. SmartBalance sponsors on EntryPoint v0.7 only. */
type Payer = 'account' | 'sponsor' | 'token'

const operator = privateKeyToAccount(devRoles.operator.privateKey)
const chainId = foundry.id

/** The same on every machine, so that call data costs the same: the year 2100, unix seconds. */
const validUntil = 4_102_444_800

/** Base units for 1 ether, and the units of gas that a relayer bears. */
const terms = { token: settlementTokenAddress, rate: 2_625_000_000n, extraGas: 30_000, validUntil } as const

/** An address that has none of the token. */
const newcomer = '0x00000000000000000000000000000000000000ae'

const transfer: Call = {
  to: settlementTokenAddress,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [newcomer, 1n] }),
}

/**
 * An account that is deployed sends one unit of a token to an address that has none. It approves its fee for the first time,
 * and the paymaster has taken fees before.
 */
async function measure(enter: Enter, payer: Payer): Promise<GasUsed> {
  await using chain = await startBundler()
  const contestant = await enter(chain)
  const { entryPoint = entryPoint07Address, sender, stubSignature } = contestant
  const paymaster = predictTokenPaymasterAddress({ entryPoint, smartBalance: smartBalanceAddress })
  await chain.fund(sender)
  await chain.fundWithToken(sender, 100_000_000n)
  await chain.fundWithToken(paymaster)

  const send = async (
    draft: Pick<UserOperation, 'nonce' | 'initCode' | 'callData'>,
    by: Payer,
    authorization?: Awaited<ReturnType<NonNullable<typeof contestant.authorize>>>,
  ) => {
    const unpriced: UserOperation = {
      ...draft,
      ...(contestant.entryPoint && { entryPoint }),
      sender,
      callGasLimit: 150_000n,
      verificationGasLimit: 1_000_000n,
      preVerificationGas: 0n,
      maxFeePerGas: 11_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      paymasterAndData: await paymasterData(by, undefined),
    }
    const preVerificationGas = calculatePreVerificationGas({ ...unpriced, signature: stubSignature })
    const priced = { ...unpriced, preVerificationGas }
    const operation = { ...priced, paymasterAndData: await paymasterData(by, priced) }
    const signature = await contestant.sign(operation)
    return chain.bundle({ ...operation, signature, ...(authorization && { authorization }) })
  }

  /** The paymaster's part, signed if there is an operation to sign. */
  async function paymasterData(by: Payer, operation: UserOperation | undefined): Promise<Hex> {
    if (by === 'account') return '0x'
    if (by === 'sponsor') {
      const order = {
        ...{ paymaster: smartBalanceAddress, claimAmount: 0n, debits: [], signer: eoaOwner, validUntil },
        ...{ paymasterVerificationGasLimit: 100_000n, paymasterPostOpGasLimit: 0n },
      }
      const operatorSignature = operation
        ? await operator.signTypedData(getOrderTypedData({ order, operation, chainId }))
        : stubOperatorSignature
      return encodePaymasterAndData({ ...order, operatorSignature })
    }
    const fee = {
      ...terms,
      paymaster,
      paymasterVerificationGasLimit: 100_000n,
      paymasterPostOpGasLimit: 70_000n,
    }
    const operatorSignature = operation
      ? await operator.signTypedData(getTokenFeeTypedData({ fee, operation, chainId }))
      : stubOperatorSignature
    return encodeTokenFee({ ...fee, operatorSignature })
  }

  // Its own first operation deploys the account, or delegates it.
  const idle = await contestant.encodeCalls([{ to: sender, value: 0n, data: '0x' }])
  const first = { nonce: 0n, initCode: contestant.initCode, callData: idle }
  await send(first, 'account', await contestant.authorize?.())
  const approvals =
    payer === 'token'
      ? encodeTokenFeeApproval({ token: terms.token, paymaster, maximum: 50_000_000n, resetFirst: false })
      : []
  const callData = await contestant.encodeCalls([...approvals, transfer])
  return await send({ nonce: 1n, initCode: '0x', callData }, payer)
}

/** Exact and the same on every machine. */
export async function measurePayers() {
  const safe = lanyard(eoaOwner)
  return {
    safe: {
      account: await measure(safe, 'account'),
      sponsor: await measure(safe, 'sponsor'),
      token: await measure(safe, 'token'),
    },
    delegated: { account: await measure(delegated, 'account'), token: await measure(delegated, 'token') },
  }
}
