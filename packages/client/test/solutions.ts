import { computeAccountAddress, type EoaOwner } from '@lanyard/accounts'
import {
  type CosignedWithdrawal,
  encodeClaim,
  encodeOrderMarker,
  encodeWithdraw,
  type OrderPlan,
  stubOperatorSignature,
} from '@lanyard/smart-balance'
import type { Address, Hex } from 'viem'
import type { Solution } from '../src/generated/types.gen.ts'

export const smartBalance: Address = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
export const token: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
export const thirdParty: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const orderId: Hex = `0x${'ab'.repeat(32)}`
export const outputNetwork = 31337
export const nonce = (2n << 64n) + 1n
export const now = 1_800_000_000
export const owner: EoaOwner = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
export const account = computeAccountAddress(owner)

export const plan: OrderPlan = {
  amount: 1_000n,
  fee: 30n,
  total: 1_030n,
  withdrawal: { amount: 100n, fee: 5n },
  claimAmount: 900n,
  debits: [
    { network: 31338, amount: 700n, failFee: 20n },
    { network: 31339, amount: 225n, failFee: 0n },
  ],
}
export const withdrawal: CosignedWithdrawal = {
  to: account,
  ...plan.withdrawal,
  salt: `0x${'5a'.repeat(32)}`,
  deadline: now + 1_200,
  signature: stubOperatorSignature,
}

/** The response of an honest service to {@link plan}, or to a plan without a withdrawal. */
export function solutionOf(planned: OrderPlan = plan, claimed = nonce, withdrawn = withdrawal): Solution {
  const none = { encodedData: '0x', targetContractAddress: smartBalance }
  const withdraws = planned.withdrawal.amount > 0n
  const claims = planned.claimAmount > 0n || planned.debits.length > 0
  return {
    withdrawalPlan: { network: outputNetwork, amount: planned.withdrawal.amount.toString() },
    tokenToClaim: { address: token, amount: planned.claimAmount.toString() },
    transactions: {
      withdrawal: withdraws ? { ...none, encodedData: encodeWithdraw(smartBalance, withdrawn).data } : none,
      claim: claims ? { ...none, encodedData: encodeClaim(smartBalance, claimed).data } : none,
    },
    signatures: {
      paymaster: encodeOrderMarker(smartBalance, orderId),
      withdrawal: withdraws ? withdrawn.signature : '0x',
    },
    orderId,
    debits: planned.debits.map(({ network, amount }) => ({ network, amount: amount.toString() })),
    fee: planned.fee.toString(),
    gasBudget: '1000000000000000',
    expiresAt: new Date((now + 600) * 1_000).toISOString(),
  }
}
