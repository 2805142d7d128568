import { router } from './console-trpc.ts'
import { accounts } from './procedures/accounts.ts'
import { approvals } from './procedures/approvals.ts'
import { audit } from './procedures/audit.ts'
import { balance } from './procedures/balance.ts'
import { keys } from './procedures/keys.ts'
import { operations } from './procedures/operations.ts'
import { operators } from './procedures/operators.ts'
import { overview } from './procedures/overview.ts'
import { policies } from './procedures/policies.ts'
import { session } from './procedures/session.ts'
import { webhooks } from './procedures/webhooks.ts'

/** What operators may see and do. It is not part of the public API: another process or port serves it. */
export const consoleRouter = router({
  session,
  overview,
  operations,
  accounts,
  policies,
  keys,
  webhooks,
  balance,
  audit,
  operators,
  approvals,
})

export type ConsoleRouter = typeof consoleRouter
