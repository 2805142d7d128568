import { encodeClaim, encodeOrderMarker, encodeWithdraw, type OrderPlan } from '@lanyard/smart-balance'
import { describe, expect, test } from 'vitest'
import {
  account,
  nonce,
  now,
  orderId,
  outputNetwork,
  plan,
  smartBalance,
  solutionOf,
  thirdParty,
  token,
  withdrawal,
} from '../../test/solutions.ts'
import type { Solution } from './quote.ts'
import { type VerifySolutionParameters, verifySolution } from './verify-solution.ts'

const requested: Omit<VerifySolutionParameters, 'solution'> = {
  request: { outputNetwork, amount: '1000' },
  smartBalance,
  account,
  now,
}
const verify = (
  solution: Solution = solutionOf(),
  changed: Partial<Omit<VerifySolutionParameters, 'solution'>> = {},
) => verifySolution({ ...requested, ...changed, solution })
const rejection = (field: string) =>
  expect.objectContaining({ name: 'BuildVerificationError', field: `solution.${field}` })

const knownDebits = plan.debits.map(({ network, amount }) => ({ network, amount }))
const calls = [encodeWithdraw(smartBalance, withdrawal), encodeClaim(smartBalance, nonce)]

describe('verifySolution', () => {
  test('default', () => {
    expect(verify()).toEqual({
      ...plan,
      debits: knownDebits,
      orderId,
      chainId: outputNetwork,
      smartBalance,
      nonce,
      calls,
      paymasterData: encodeOrderMarker(smartBalance, orderId),
    })
  })

  test('args: plan; expects its failFees', () => {
    expect(verify(solutionOf(), { plan }).debits).toEqual(plan.debits)
    const dearer = { ...plan, fee: 31n, total: 1_031n }
    expect(() => verify(solutionOf(), { plan: dearer })).toThrow(rejection('fee'))
    const [first, second] = plan.debits
    const debits = [
      { network: 31338, failFee: 0n, amount: (first?.amount ?? 0n) - 1n },
      { network: 31339, failFee: 0n, amount: (second?.amount ?? 0n) + 1n },
    ]
    expect(() => verify(solutionOf(), { plan: { ...plan, debits } })).toThrow(rejection('debits'))
  })

  test('args: quote', () => {
    const quote = { amount: '1000', fee: '30', total: '1030' }
    expect(() => verify(solutionOf(), { quote })).not.toThrow()
    expect(() => verify(solutionOf(), { quote: { ...quote, fee: '29' } })).toThrow(rejection('fee'))
    expect(() => verify(solutionOf(), { quote: { ...quote, amount: '999' } })).toThrow(rejection('amount'))
    expect(() => verify(solutionOf(), { quote: { ...quote, total: '1031' } })).toThrow(rejection('total'))
    expect(() => verify(solutionOf(), { quote: { ...quote, fee: '-30' } })).toThrow(
      expect.objectContaining({ field: 'quote.fee' }),
    )
  })

  test('args: request', () => {
    const requesting = (request: Partial<VerifySolutionParameters['request']>) =>
      verify(solutionOf(), { request: { ...requested.request, ...request } })
    expect(() => requesting({ limit: 1_030 })).not.toThrow()
    expect(() => requesting({ limit: 1_029 })).toThrow(rejection('total'))
    expect(() => requesting({ amount: 999 })).toThrow(rejection('amount'))
    expect(() => requesting({ type: 'AMOUNT_IN', amount: '1030', limit: '1000' })).not.toThrow()
    expect(() => requesting({ type: 'AMOUNT_IN', amount: '1030', limit: '1001' })).toThrow(
      rejection('amount'),
    )
    expect(() => requesting({ type: 'AMOUNT_IN', amount: '1029' })).toThrow(rejection('total'))
    expect(() => requesting({ outputNetwork: 'eip155:31337' })).not.toThrow()
    expect(() => requesting({ outputNetwork: 1 })).toThrow(rejection('withdrawalPlan.network'))
  })

  test('args: token', () => {
    expect(() => verify(solutionOf(), { token })).not.toThrow()
    expect(() => verify(solutionOf(), { token: thirdParty })).toThrow(rejection('tokenToClaim.address'))
    const { amount } = solutionOf().tokenToClaim
    for (const address of ['', token.slice(0, -1), `${token}0`, `zz${token.slice(2)}`, token.slice(2)])
      expect(() => verify({ ...solutionOf(), tokenToClaim: { address, amount } }, { token })).toThrow(
        rejection('tokenToClaim.address'),
      )
  })

  test('behavior: accepts a solution without a loan', () => {
    const own: OrderPlan = {
      ...plan,
      withdrawal: { amount: 1_000n, fee: 30n },
      claimAmount: 0n,
      debits: [],
    }
    const withdrawn = { ...withdrawal, ...own.withdrawal }
    const solution = solutionOf(own, nonce, withdrawn)
    expect(verify(solution)).toMatchObject({
      nonce: undefined,
      calls: [encodeWithdraw(smartBalance, withdrawn)],
    })
  })

  test('behavior: accepts a solution without a withdrawal', () => {
    const lent: OrderPlan = {
      ...plan,
      withdrawal: { amount: 0n, fee: 0n },
      claimAmount: 1_000n,
      debits: [{ network: 31338, amount: 1_030n, failFee: 0n }],
    }
    expect(verify(solutionOf(lent))).toMatchObject({ calls: [encodeClaim(smartBalance, nonce)] })
  })

  const honest = solutionOf()
  const { transactions, signatures } = honest
  const withWithdrawal = (changed: object): Solution => ({
    ...honest,
    transactions: {
      ...transactions,
      withdrawal: {
        ...transactions.withdrawal,
        encodedData: encodeWithdraw(smartBalance, { ...withdrawal, ...changed }).data,
      },
    },
  })
  test.each<[string, Solution, string]>([
    [
      'another network',
      { ...honest, withdrawalPlan: { network: 1, amount: '100' } },
      'withdrawalPlan.network',
    ],
    [
      'a smaller withdrawal',
      { ...honest, withdrawalPlan: { ...honest.withdrawalPlan, amount: '99' } },
      'amount',
    ],
    [
      'not a number',
      { ...honest, withdrawalPlan: { ...honest.withdrawalPlan, amount: '1e2' } },
      'withdrawalPlan.amount',
    ],
    ['a smaller loan', { ...honest, tokenToClaim: { address: token, amount: '899' } }, 'amount'],
    ['a negative loan', { ...honest, tokenToClaim: { address: token, amount: '-1' } }, 'tokenToClaim.amount'],
    ['another fee', { ...honest, fee: '31' }, 'transactions.withdrawal'],
    ['a fee below the sum of the debits', { ...honest, fee: '24' }, 'debits'],
    [
      'a smaller debit',
      { ...honest, debits: [{ network: 31338, amount: '700' }] },
      'transactions.withdrawal',
    ],
    [
      'a debit on the output network',
      { ...honest, debits: [{ network: outputNetwork, amount: '925' }] },
      'debits.0.network',
    ],
    [
      'a duplicate debit',
      { ...honest, debits: [...honest.debits, { network: 31339, amount: '1' }] },
      'debits.2.network',
    ],
    ['debits in another order', { ...honest, debits: honest.debits.toReversed() }, 'debits.1.network'],
    [
      'a debit that is not a number',
      { ...honest, debits: [{ network: 31338, amount: '' }] },
      'debits.0.amount',
    ],
    ['a withdrawal to someone else', withWithdrawal({ to: thirdParty }), 'transactions.withdrawal'],
    ['a larger withdrawal', withWithdrawal({ amount: 101n }), 'transactions.withdrawal'],
    ['a larger withdrawal fee', withWithdrawal({ fee: 6n }), 'transactions.withdrawal'],
    ['a withdrawal that has expired', withWithdrawal({ deadline: now - 1 }), 'transactions.withdrawal'],
    ['another co-signature', withWithdrawal({ signature: '0x12' }), 'signatures.withdrawal'],
    [
      'a withdrawal at another contract',
      {
        ...honest,
        transactions: {
          ...transactions,
          withdrawal: { ...transactions.withdrawal, targetContractAddress: thirdParty },
        },
      },
      'transactions.withdrawal',
    ],
    [
      'no withdrawal',
      {
        ...honest,
        transactions: { ...transactions, withdrawal: { ...transactions.withdrawal, encodedData: '0x' } },
      },
      'transactions.withdrawal',
    ],
    [
      'no claim',
      { ...honest, transactions: { ...transactions, claim: { ...transactions.claim, encodedData: '0x' } } },
      'transactions.claim',
    ],
    [
      'another call instead of the claim',
      { ...honest, transactions: { ...transactions, claim: transactions.withdrawal } },
      'transactions.claim',
    ],
    [
      'a claim at another contract',
      {
        ...honest,
        transactions: {
          ...transactions,
          claim: { ...transactions.claim, targetContractAddress: thirdParty },
        },
      },
      'transactions.claim',
    ],
    [
      'a call to no address',
      {
        ...honest,
        transactions: { ...transactions, claim: { ...transactions.claim, targetContractAddress: '' } },
      },
      'transactions',
    ],
    [
      'another marker',
      { ...honest, signatures: { ...signatures, paymaster: encodeOrderMarker(thirdParty, orderId) } },
      'signatures.paymaster',
    ],
    [
      'a paymaster that is not a marker',
      { ...honest, signatures: { ...signatures, paymaster: `0x${'22'.repeat(85)}` } },
      'signatures.paymaster',
    ],
    ['another order', { ...honest, orderId: `0x${'cd'.repeat(32)}` }, 'signatures.paymaster'],
    [
      'a co-signature that is not in the withdrawal',
      { ...honest, signatures: { ...signatures, withdrawal: '0x' } },
      'signatures.withdrawal',
    ],
  ])('error: %s', (_, tampered, field) => {
    expect(tampered).not.toEqual(honest)
    expect(() => verify(tampered)).toThrow(rejection(field))
  })

  test("error: fees above the contract's maximum", () => {
    const dear: OrderPlan = {
      ...plan,
      fee: 200_000_000n,
      withdrawal: { amount: 0n, fee: 0n },
      claimAmount: 1_000n,
      debits: [{ network: 31338, amount: 200_001_000n, failFee: 0n }],
    }
    expect(() => verify(solutionOf(dear))).toThrow(rejection('debits'))
  })

  test('error: a claim without a loan', () => {
    const own: OrderPlan = { ...plan, withdrawal: { amount: 1_000n, fee: 30n }, claimAmount: 0n, debits: [] }
    const solution = solutionOf(own, nonce, { ...withdrawal, ...own.withdrawal })
    const extra = { ...solution, transactions: { ...solution.transactions, claim: transactions.claim } }
    expect(() => verify(extra)).toThrow(rejection('transactions'))
  })

  test('error: an unnecessary withdrawal', () => {
    const lent: OrderPlan = {
      ...plan,
      withdrawal: { amount: 0n, fee: 0n },
      claimAmount: 1_000n,
      debits: [{ network: 31338, amount: 1_030n, failFee: 0n }],
    }
    const solution = solutionOf(lent)
    const extra = {
      ...solution,
      transactions: { ...solution.transactions, withdrawal: transactions.withdrawal },
    }
    expect(() => verify(extra)).toThrow(rejection('transactions.claim'))
  })
})
