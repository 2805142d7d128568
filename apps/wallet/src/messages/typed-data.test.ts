import { maxUint160, maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeTypedData, showText } from './decode-typed-data.ts'
import { findRisks } from './typed-data-risks.ts'

const token = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const field = (name: string, type: string) => ({ name, type })
const details = [field('token', 'address'), field('amount', 'uint160'), field('expiration', 'uint48')]

const permitSingle = (amount: bigint | string) => ({
  domain: { name: 'Permit2', chainId: 1, verifyingContract: permit2 },
  types: {
    PermitDetails: details,
    PermitSingle: [
      field('details', 'PermitDetails'),
      field('spender', 'address'),
      field('sigDeadline', 'uint256'),
    ],
  },
  primaryType: 'PermitSingle',
  message: {
    details: { token, amount: String(amount), expiration: '1900000000', hidden: 'not signed' },
    spender: token,
    sigDeadline: String(maxUint256),
  },
})
const permit = (value: unknown) => ({
  types: {
    Permit: ['owner', 'spender']
      .map((name) => field(name, 'address'))
      .concat([field('value', 'uint256'), field('nonce', 'uint256'), field('deadline', 'uint256')]),
  },
  primaryType: 'Permit',
  message: { owner: token, spender: token, value, nonce: '0', deadline: String(maxUint256) },
})
const of = (primaryType: string, fields = [field('text', 'string')]) => ({
  types: { [primaryType]: fields },
  primaryType,
  message: { text: 'Hello' },
})

describe('decodeTypedData', () => {
  test('default: returns a tree of exactly the signed data', () => {
    expect(decodeTypedData(permitSingle('0x10'))).toEqual([
      {
        ...field('details', 'PermitDetails'),
        value: undefined,
        members: [
          { ...field('token', 'address'), value: token, members: [] },
          { ...field('amount', 'uint160'), value: '16', members: [] },
          { ...field('expiration', 'uint48'), value: '1900000000', members: [] },
        ],
      },
      { ...field('spender', 'address'), value: token, members: [] },
      { ...field('sigDeadline', 'uint256'), value: String(maxUint256), members: [] },
    ])
  })

  test('behavior: decodes arrays of values and of structs', () => {
    const decoded = decodeTypedData({
      types: {
        List: [field('people', 'Person[]'), field('amounts', 'uint8[2]')],
        Person: [field('name', 'string')],
      },
      primaryType: 'List',
      message: { people: [{ name: 'Bob' }], amounts: [1, 2] },
    })
    expect(decoded[0]?.members[0]).toMatchObject({
      name: '0',
      type: 'Person',
      members: [{ name: 'name', value: 'Bob' }],
    })
    expect(decoded[1]?.members.map(({ value }) => value)).toEqual(['1', '2'])
  })

  test('behavior: escapes invisible characters, including those in names', () => {
    const [shown] = decodeTypedData({
      types: { A: [field('to\u202e', 'string')] },
      primaryType: 'A',
      message: { 'to\u202e': 'x\u200b' },
    })
    expect(shown).toMatchObject({ name: 'to\\u{202e}', value: 'x\\u{200b}' })
  })

  test('behavior: handles recursive types, and types named like members of Object.prototype', () => {
    const types = { A: [field('a', 'A'), field('constructor', 'string')] }
    const [a, constructorField] = decodeTypedData({ types, primaryType: 'A', message: {} })
    expect(a?.members).toHaveLength(2)
    expect(constructorField?.value).toBe('undefined')
    expect(decodeTypedData({ types, primaryType: 'toString', message: {} })).toEqual([])
  })
})

describe('findRisks', () => {
  const risks = (typedData: Parameters<typeof findRisks>[0], chainId = 1) => findRisks(typedData, { chainId })

  test('default: none', () => {
    expect(risks(of('Login'))).toEqual([])
    expect(risks({ ...of('Login'), domain: { chainId: '0x1' } })).toEqual([])
  })

  test('behavior: detects Permit2 by its contract or its types; unlimited is the largest uint160', () => {
    expect(risks(permitSingle(5n))).toEqual(['permit2'])
    expect(risks(permitSingle(maxUint160))).toEqual(['permit2', 'unlimited'])
    expect(risks({ ...of('Anything'), domain: { verifyingContract: permit2 } })).toEqual(['permit2'])
    for (const name of ['PermitTransferFrom', 'PermitBatchWitnessTransferFrom', 'PermitBatch'])
      expect(risks(of(name))).toEqual(['permit2'])
  })

  test("behavior: detects ERC-2612 and DAI's permit by their members, and ERC-3009 by its name", () => {
    expect(risks(permit('5'))).toEqual(['permit'])
    expect(risks(permit(String(maxUint256)))).toEqual(['permit', 'unlimited'])
    expect(risks(permit(`0x${'f'.repeat(64)}`))).toEqual(['permit', 'unlimited'])
    const fields = [field('holder', 'address'), field('spender', 'address'), field('allowed', 'bool')]
    const dai = { types: { Permit: fields }, primaryType: 'Permit', message: { allowed: true } }
    expect(risks(dai)).toEqual(['permit', 'unlimited'])
    expect(risks(of('ReceiveWithAuthorization'))).toEqual(['transfer'])
  })

  test('behavior: detects orders, Safe transactions and other chains', () => {
    for (const name of ['Order', 'OrderComponents', 'BulkOrder']) expect(risks(of(name))).toEqual(['order'])
    for (const name of ['SafeTx', 'SafeOp', 'SafeMessage']) expect(risks(of(name))).toEqual(['safe'])
    expect(risks({ ...of('Login'), domain: { chainId: 10 } })).toEqual(['otherChain'])
    expect(risks(permitSingle(5n), 10)).toEqual(['permit2', 'otherChain'])
  })

  test('behavior: detects permits of NFTs, and permits under any name', () => {
    const nft = [
      field('spender', 'address'),
      field('tokenId', 'uint256'),
      field('nonce', 'uint256'),
      field('deadline', 'uint256'),
    ]
    expect(risks(of('Permit', nft))).toEqual(['permit']) // ERC-4494
    expect(risks(of('Allow', nft))).toEqual(['permit'])
    expect(risks(of('PermitForAll'))).toEqual(['permit'])
    expect(risks({ ...of('PermitForAll'), domain: { verifyingContract: permit2 } })).toEqual(['permit2'])
    const forAll = ['owner', 'operator'].map((name) => field(name, 'address'))
    expect(risks(of('Grant', [...forAll, field('approved', 'bool')]))).toEqual(['permit'])
  })

  test('behavior: detects claims of The Compact', () => {
    for (const name of ['Compact', 'BatchCompact', 'MultichainCompact'])
      expect(risks(of(name))).toEqual(['compact'])
  })

  test('behavior: detects calls that others send in the name of the signer', () => {
    const to = field('to', 'address')
    expect(risks(of('ForwardRequest', [to, field('data', 'bytes')]))).toEqual(['call']) // ERC-2771
    expect(risks(of('Execute', [field('target', 'address'), field('callData', 'bytes')]))).toEqual(['call'])
    expect(risks(of('MetaTransaction', [field('functionSignature', 'bytes')]))).toEqual(['call'])
    const batch = { Batch: [field('calls', 'Call[]')], Call: [to, field('data', 'bytes')] }
    expect(risks({ types: batch, primaryType: 'Batch', message: {} })).toEqual(['call'])
    const delegation = [
      field('delegate', 'address'),
      field('delegator', 'address'),
      field('authority', 'bytes32'),
    ]
    expect(risks(of('Delegation', delegation))).toEqual(['call']) // ERC-7710
  })

  test('behavior: detects an unlimited amount in an array of structs', () => {
    const types = { Batch: [field('details', 'PermitDetails[]')], PermitDetails: details }
    const message = { details: [{ amount: '1' }, { amount: String(maxUint160) }] }
    expect(risks({ types, primaryType: 'Batch', message })).toEqual(['unlimited'])
  })
})

test('default: keeps visible characters', () => {
  const text = 'Grüezi, 世界! 👍\nنص عربي'
  expect(showText(text)).toBe(text)
})

test.each([
  ['\u202egnp.exe', '\\u{202e}gnp.exe'],
  ['pay\u2066me\u2069', 'pay\\u{2066}me\\u{2069}'],
  ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
  ['tab\tbell\u0007\r\n', 'tab\\u{9}bell\\u{7}\\u{d}\n'],
  ['line\u2028separator\u0085', 'line\\u{2028}separator\\u{85}'],
  ['tag\u{e0041}', 'tag\\u{e0041}'],
])('behavior: %j', (text, shown) => {
  expect(showText(text)).toBe(shown)
})
