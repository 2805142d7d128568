import { endpoints } from '@lanyard/contracts'
import { listTokenFees } from '../../domain/smart-balance/orders/list-token-fees.ts'
import { implement } from '../../pipeline/implement.ts'

export const tokens = implement(endpoints.gas.tokens, async (_input, { services, project }) => ({
  tokens: [...(await listTokenFees(services, project.policies.list))],
}))
