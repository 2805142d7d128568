import { endpoints } from '@lanyard/contracts'
import { implement } from '../../pipeline/implement.ts'

export const prices = implement(endpoints.system.prices, async (_input, { services }) => ({
  prices: [...(await services.prices.read())],
}))
