import { encodeAddOwner } from '@lanyard/accounts'
import { type CallContext, describeCall } from '@lanyard/calls'
import { approvalFunctions, batchFunctions } from '@lanyard/onchain'
import {
  type AbiFunction,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseAbiItem,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { findRisks, isOddName } from './find-risks.ts'

const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const smartBalance = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const usdc = { symbol: 'USDC', decimals: 6, token } as const
const context: CallContext = {
  account,
  tokens: [{ symbol: 'ETH', decimals: 18 }, usdc],
  smartBalance: { address: smartBalance, token: usdc, unit: { symbol: 'USDC', decimals: 6 } },
  sessionKeys: undefined,
}
const send = (to: `0x${string}`) => ({ to, value: 1n, data: '0x' }) as const
const approve = (spender: `0x${string}`, amount: bigint) =>
  ({
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  }) as const
const encode = (signature: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: [parseAbiItem(`function ${signature}` as string) as AbiFunction], args })
const kindsOf = (
  call: Parameters<typeof describeCall>[0],
  {
    known = [],
    names = [],
  }: { known?: readonly string[]; names?: readonly (readonly [string, string])[] } = {},
) =>
  findRisks({
    calls: [{ call, description: describeCall(call, context) }],
    context,
    known: new Set(known.map((address) => address.toLowerCase())),
    names: new Map(names.map(([address, name]) => [address.toLowerCase(), name])),
  }).map(({ kind, level }) => `${level} ${kind}`)

describe('findRisks', () => {
  test('default: a payment to a known recipient has no risk', () => {
    expect(kindsOf(send(friend), { known: [friend] })).toEqual([])
    expect(kindsOf(send(account))).toEqual([])
  })

  test('behavior: reports the first payment to a recipient', () => {
    expect(kindsOf(send(friend))).toEqual(['note first-payment'])
  })

  test('behavior: reports payments to the zero address and to contracts', () => {
    expect(kindsOf(send(zeroAddress), { known: [zeroAddress] })).toEqual(['high zero-recipient'])
    for (const contract of [token, smartBalance] as const)
      expect(kindsOf(send(contract), { known: [contract] })).toEqual(['high contract-recipient'])
  })

  test('behavior: reports allowances, unlimited ones as high', () => {
    expect(kindsOf(approve(friend, maxUint256))).toEqual(['high unlimited-approval'])
    expect(kindsOf(approve(friend, 5n))).toEqual(['note approval'])
    expect(kindsOf(approve(friend, 0n))).toEqual([])
    expect(kindsOf(approve(smartBalance, 5n))).toEqual([])
  })

  test('behavior: a new recipient with the ends of a known one is a high risk, whatever page asks', () => {
    const poison = `0x${friend.slice(2, 6)}${'4c1e'.repeat(8)}${friend.slice(-4)}` as const
    expect(kindsOf(send(poison), { known: [friend] })).toEqual(['high look-alike', 'note first-payment'])
    expect(kindsOf(send(poison), { known: [friend, poison] })).toEqual([])
  })

  test('behavior: reports allowances at unknown contracts', () => {
    const permit2Abi = parseAbi(['function approve(address, address, uint160, uint48)'])
    const nftAbi = parseAbi(['function setApprovalForAll(address, bool)'])
    const at = (data: `0x${string}`) => kindsOf({ to: friend, value: 0n, data })
    const functionName = 'approve'
    const erc20 = (amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName, args: [account, amount] })
    const permit2 = (amount: bigint) =>
      encodeFunctionData({ abi: permit2Abi, functionName, args: [token, friend, amount, 0] })
    const nft = (approved: boolean) =>
      encodeFunctionData({ abi: nftAbi, functionName: 'setApprovalForAll', args: [friend, approved] })
    for (const data of [erc20(maxUint256), permit2(2n ** 160n - 1n)])
      expect(at(data)).toEqual(['high unlimited-approval'])
    expect(at(nft(true))).toEqual(['high power'])
    for (const data of [erc20(5n), permit2(5n)]) expect(at(data)).toEqual(['note approval'])
    for (const data of [erc20(0n), permit2(0n), nft(false), '0x12345678'] as const)
      expect(at(data)).toEqual([])
  })

  describe('functions that give others power over what the account holds', () => {
    const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
    const at = (signature: string, args: readonly unknown[]) =>
      kindsOf({
        to: other,
        value: 0n,
        data: encode(signature, args),
      })

    test.each([
      ['approveDelegation(address,uint256)', [friend, maxUint256], ['high unlimited-approval']],
      ['approveDelegation(address,uint256)', [friend, 5n], ['note approval']],
      ['approveDelegation(address,uint256)', [friend, 0n], []],
      ['setOperator(address,bool)', [friend, true], ['high power']],
      ['setOperator(address,bool)', [friend, false], []],
      ['setAuthorization(address,bool)', [friend, true], ['high power']],
      ['setAuthorization(address,bool)', [friend, false], []],
      ['authorizeOperator(address)', [friend], ['high power']],
      ['setUser(uint256,address,uint64)', [0n, friend, 1n], ['high power']],
    ] as const)('%s (%#)', (signature, args, risks) => {
      expect(at(signature, args)).toEqual(risks)
    })

    test('the same functions are reported on a token that the wallet knows', () => {
      const data = encodeFunctionData({
        abi: parseAbi(['function increaseAllowance(address spender, uint256 amount)']),
        args: [friend, maxUint256],
      })
      expect(kindsOf({ to: token, value: 0n, data })).toEqual(['high unlimited-approval'])
    })

    test('every function of the lists that the contracts use is reported', () => {
      for (const [list, risk] of [
        [approvalFunctions, 'high power'],
        [batchFunctions, 'high batch'],
      ] as const)
        for (const signature of Object.values(list).flat())
          expect(kindsOf({ to: other, value: 0n, data: toFunctionSelector(signature) })).toEqual([risk])
    })

    test('a batch is reported whatever it contains, and on a token that the wallet knows', () => {
      const approve = encode('approve(address,uint256)', [friend, maxUint256])
      const data = encode('multicall(bytes[])', [[approve]])
      expect(kindsOf({ to: other, value: 0n, data })).toEqual(['high batch'])
      expect(kindsOf({ to: token, value: 0n, data })).toEqual(['high batch'])
    })
  })

  test('behavior: reports transfers of NFTs and of tokens that the wallet does not know', () => {
    const at = (signature: string, args: readonly unknown[]) =>
      kindsOf({
        to: friend,
        value: 0n,
        data: encode(signature, args),
      })
    for (const [signature, args] of [
      ['transfer(address,uint256)', [account, 1n]],
      ['transferFrom(address,address,uint256)', [account, friend, 1n]],
      ['safeTransferFrom(address,address,uint256)', [account, friend, 1n]],
      ['safeTransferFrom(address,address,uint256,uint256,bytes)', [account, friend, 1n, 1n, '0x']],
      [
        'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
        [account, friend, [1n], [1n], '0x'],
      ],
      ['transfer(address,uint256,uint256)', [friend, 1n, 1n]], // ERC-6909
    ] as const)
      expect(at(signature, args)).toEqual(['note moves-assets'])
  })

  test('behavior: reports calls that give away control of the account', () => {
    expect(kindsOf(encodeAddOwner({ account, owner: friend }))).toEqual(['high owner-grant'])
    const data = encodeFunctionData({
      abi: parseAbi(['function enableModule(address module)']),
      functionName: 'enableModule',
      args: [friend],
    })
    expect(kindsOf({ to: account, value: 0n, data })).toEqual(['high account-change'])
  })

  test('behavior: reports names that resemble other names', () => {
    const known = [friend]
    // The second letter is Cyrillic.
    expect(kindsOf(send(friend), { known, names: [[friend, 'mаria']] })).toEqual(['high odd-name'])
    expect(kindsOf(send(friend), { known, names: [[friend, 'maria']] })).toEqual([])
    expect(['0x7099…79C8', 'мария', 'maría', 'Ωmega', 'ωmega'].map(isOddName)).toEqual([
      true,
      false,
      false,
      true,
      true,
    ])
  })
})
