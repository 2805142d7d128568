import type { Outputs } from './outputs.ts'
import { useSession } from './use-session.ts'

type Role = NonNullable<Outputs['session']['current']>['role']

const order: readonly Role[] = ['viewer', 'support', 'operator', 'admin']

/** Whether the signed-in operator has a role. It only hides what the service would refuse anyway. */
export function useMay(needed: Role): boolean {
  const { data } = useSession()
  return data ? order.indexOf(data.role) >= order.indexOf(needed) : false
}
