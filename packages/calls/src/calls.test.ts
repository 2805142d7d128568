import { encodeAddOwner, encodeEnableModule, encodeRemoveOwner } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import {
  compilePermissions,
  encodeGrant,
  encodeRevoke,
  encodeSessionExecute,
  sessionKeyId,
} from '@lanyard/session-keys'
import {
  encodeAddSigner,
  encodeCancelExit,
  encodeClaim,
  encodeDeposit,
  encodeFinalizeExit,
  encodeRequestExit,
  encodeWithdraw,
} from '@lanyard/smart-balance'
import { encodeFunctionData, erc20Abi, parseAbiItem, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { toCallNetwork } from './call-network.ts'
import { decodeArguments } from './decode-arguments.ts'
import { callContext, describeCall } from './describe-call.ts'
import { knownModule } from './known-module.ts'
import { summarizeCalls } from './summarize-call.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const usdc = { symbol: 'USDC', decimals: 6, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } as const
const smartBalance = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const context = {
  account,
  tokens: [{ symbol: 'ETH', decimals: 18 }, usdc],
  smartBalance: { address: smartBalance, token: usdc, unit: { symbol: 'USDC', decimals: 6 } },
} as const
const words = (...calls: Parameters<typeof describeCall>[0][]) =>
  summarizeCalls(
    calls.map((call) => describeCall(call, context)),
    'past',
    context,
  )

const tokenTransfer = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [someone, 10_000_000n],
})

describe('summarizeCalls', () => {
  test('default', () => {
    expect(words({ to: someone, value: 5n * 10n ** 17n, data: '0x' })).toBe('Sent 0.5 ETH to 0x7099…79C8')
  })

  test('behavior: token transfer', () => {
    expect(words({ to: usdc.token, value: 0n, data: tokenTransfer })).toBe('Sent 10 USDC to 0x7099…79C8')
  })

  test('behavior: approval', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [someone, 1n] })
    expect(words({ to: usdc.token, value: 0n, data })).toBe('Allowed 0x7099…79C8 to spend 0.000001 USDC')
  })

  test('behavior: an unknown token is a contract call', () => {
    expect(words({ to: someone, value: 0n, data: tokenTransfer })).toBe('Contract call to 0x7099…79C8')
  })

  test('behavior: a token call that also sends value is a contract call', () => {
    expect(words({ to: usdc.token, value: 1n, data: tokenTransfer })).toBe('Contract call to 0x5FbD…0aa3')
  })

  test('behavior: owners', () => {
    expect(words(encodeAddOwner({ account, owner: someone }))).toBe('Added owner 0x7099…79C8')
    expect(words(encodeRemoveOwner({ account, owner: someone, owners: [someone, account] }))).toBe(
      'Removed owner 0x7099…79C8',
    )
  })

  test('behavior: no calls mean a deployment, and several calls are counted', () => {
    expect(words()).toBe('Deployed the account')
    const call = { to: someone, value: 1n, data: '0x' } as const
    expect(words(call, call, call)).toBe('Sent 0.000000000000000001 ETH to 0x7099…79C8 and 2 more')
  })

  test('behavior: truncated call data is a contract call', () => {
    expect(describeCall({ to: usdc.token, value: 0n, data: '0xa9059cbb00' }, context)).toMatchObject({
      kind: 'contract',
      selector: '0xa9059cbb',
    })
  })
})

describe('summarizeCalls of the combined balance', () => {
  const transfer = { to: usdc.token, value: 0n, data: tokenTransfer } as const
  const withdrawal = (to: typeof account | typeof someone) =>
    encodeWithdraw(smartBalance, {
      to,
      amount: 5_000_000n,
      fee: 1n,
      salt: zeroHash,
      deadline: 1,
      signature: '0x',
    })

  test('behavior: a deposit', () => {
    const calls = encodeDeposit({
      token: usdc.token,
      smartBalance,
      amount: 100_000_000n,
      decimals: 18,
      addSigner: zeroHash,
    })
    expect(words(...calls)).toBe('Deposited 100 USDC into the combined balance')
  })

  test('behavior: a payment is described by its recipient', () => {
    const claim = encodeClaim(smartBalance, 0n)
    expect(words(withdrawal(account), claim, transfer)).toBe(
      'Sent 10 USDC to 0x7099…79C8 from the combined balance',
    )
    expect(words(claim, transfer, transfer)).toBe(
      'Sent 10 USDC to 0x7099…79C8 and 1 more from the combined balance',
    )
    expect(words(withdrawal(account), claim)).toBe('Moved money out of the combined balance')
  })

  test('behavior: shows a withdrawal to someone else', () => {
    expect(words(withdrawal(someone), transfer)).toBe(
      'Moved 5 USDC out of the combined balance to 0x7099…79C8 and 1 more',
    )
  })

  test('behavior: shows an allowance for anyone except the contract', () => {
    const approve = (spender: typeof smartBalance | typeof someone) => ({
      to: usdc.token,
      value: 0n,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 1n] }),
    })
    expect(words(approve(smartBalance), transfer)).toBe('Sent 10 USDC to 0x7099…79C8')
    expect(words(approve(someone), transfer)).toBe('Allowed 0x7099…79C8 to spend 0.000001 USDC and 1 more')
  })

  test('behavior: describes exits', () => {
    expect(words(encodeRequestExit(smartBalance, 1_500_000n))).toBe(
      'Started taking 1.5 USDC out of the combined balance',
    )
    expect(words(encodeCancelExit(smartBalance))).toBe('Cancelled taking money out of the combined balance')
    expect(words(encodeFinalizeExit(smartBalance, account))).toBe(
      'Finished taking money out of the combined balance to 0x90F7…b906',
    )
  })

  test('behavior: an owner change names the owner', () => {
    expect(words(encodeAddOwner({ account, owner: someone }), encodeAddSigner(smartBalance, zeroHash))).toBe(
      'Added owner 0x7099…79C8',
    )
  })

  test('behavior: an unexpected call of SmartBalance, or one with value, is a contract call', () => {
    const pause = encodeFunctionData({ abi: smartBalanceAbi, functionName: 'renounceOwnership' })
    expect(words({ to: smartBalance, value: 0n, data: pause })).toBe('Contract call to 0x3C44…93BC')
    expect(words({ ...encodeCancelExit(smartBalance), value: 1n })).toBe('Contract call to 0x3C44…93BC')
  })
})

describe('decodeArguments', () => {
  const abi = parseAbiItem('function transfer(address to, uint256)')

  test('default', () => {
    expect(decodeArguments(abi, tokenTransfer)).toEqual([
      { name: '1. to (address)', value: someone },
      { name: '2. uint256', value: '10000000' },
    ])
  })

  test('behavior: undefined for a call of another function', () => {
    expect(decodeArguments(abi, '0xd0e30db0')).toBeUndefined()
  })
})

describe('summarizeCalls of sessions', () => {
  const sessionKeys = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
  const inSessions = { ...context, sessionKeys } as const
  const compiled = compilePermissions(
    [
      { type: 'erc20-token-allowance', token: usdc.token, allowance: '5000000' },
      { type: 'gas-fee-allowance', allowance: '1000000' },
    ],
    { validAfter: 1_000, validUntil: 2_000 },
  )
  if (!compiled.ok) throw new TypeError(JSON.stringify(compiled.problems))
  const { session } = compiled
  const parties = { account, sessionKeys, key: someone } as const
  const grant = encodeGrant({ ...parties, session, isOwner: false, isModule: false })
  const describeAll = (calls: Parameters<typeof describeCall>[0][]) =>
    calls.map((call) => describeCall(call, inSessions))
  const sessionWords = (calls: Parameters<typeof describeCall>[0][]) =>
    summarizeCalls(describeAll(calls), 'past', inSessions)

  test('default', () => {
    expect(describeAll(grant)).toEqual([
      { kind: 'install-sessions', role: 'owner' },
      { kind: 'install-sessions', role: 'module' },
      { kind: 'grant-session', keyId: sessionKeyId(someone), session },
    ])
    expect(sessionWords(grant)).toBe('Granted session key 0x7099…79C8')
  })

  test('behavior: a revocation, alone and with the contract', () => {
    const remove = { owners: [sessionKeys, someone], modules: [sessionKeys] } as const
    for (const calls of [encodeRevoke(parties), encodeRevoke({ ...parties, remove })])
      expect(sessionWords(calls)).toBe('Revoked session key 0x7099…79C8')
  })

  test('behavior: an operation of a session is described', () => {
    const calls = [{ to: usdc.token, value: 0n, data: tokenTransfer }] as const
    expect(sessionWords([encodeSessionExecute({ sessionKeys, key: someone, calls })])).toBe(
      'Session key: Sent 10 USDC to 0x7099…79C8',
    )
  })

  test('behavior: extra bytes make it a contract call', () => {
    const padded = grant.slice(2).map((call) => ({ ...call, data: `${call.data}00` as const }))
    expect(sessionWords(padded)).toBe('Contract call to 0x15d3…6A65')
  })

  test('behavior: another owner or module is not mistaken for the session keys contract', () => {
    const other = encodeGrant({ ...parties, sessionKeys: someone, session, isOwner: false, isModule: false })
    expect(describeAll(other.slice(0, 2))).toMatchObject([{ kind: 'add-owner' }, { kind: 'contract' }])
  })
})

describe('callContext', () => {
  test('default: a network of the service names its tokens and contracts', () => {
    const network = toCallNetwork({
      nativeCurrency: { symbol: 'ETH', decimals: 18 },
      settlementToken: { symbol: 'USDC', decimals: 6, address: usdc.token },
      smartBalance,
      sessionKeys: null,
    })
    expect(callContext(account, network)).toMatchObject(context)
    const enable = encodeEnableModule({ account, module: knownModule(network) })
    expect(describeCall(enable, callContext(account, network))).toEqual({ kind: 'enable-guardians' })
  })

  test('behavior: without a network, a transfer of coins has no symbol, and a token is a contract', () => {
    const known = callContext(account, undefined)
    const describeAll = (data: '0x' | typeof tokenTransfer) =>
      describeCall({ to: usdc.token, value: 0n, data }, known)
    expect(describeAll('0x')).toMatchObject({ kind: 'transfer', currency: { symbol: 'coins' } })
    expect(describeAll(tokenTransfer)).toMatchObject({ kind: 'contract' })
  })
})
