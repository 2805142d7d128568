import { Navigate, Route, Routes } from 'react-router'
import { useSession } from './api/use-session.ts'
import { AccountScreen } from './screens/account-screen.tsx'
import { AccountsScreen } from './screens/accounts-screen.tsx'
import { ApprovalsScreen } from './screens/approvals-screen.tsx'
import { AuditScreen } from './screens/audit-screen.tsx'
import { BalanceScreen } from './screens/balance-screen.tsx'
import { DeniedScreen } from './screens/denied-screen.tsx'
import { InvitationScreen } from './screens/invitation-screen.tsx'
import { KeysScreen } from './screens/keys-screen.tsx'
import { OperationScreen } from './screens/operation-screen.tsx'
import { OperationsScreen } from './screens/operations-screen.tsx'
import { OperatorsScreen } from './screens/operators-screen.tsx'
import { OverviewScreen } from './screens/overview-screen.tsx'
import { PasskeysScreen } from './screens/passkeys-screen.tsx'
import { PoliciesScreen } from './screens/policies-screen.tsx'
import { PolicyEditorScreen } from './screens/policy-editor-screen.tsx'
import { SignInScreen } from './screens/sign-in-screen.tsx'
import { WebhookScreen } from './screens/webhook-screen.tsx'
import { WebhooksScreen } from './screens/webhooks-screen.tsx'
import { Layout } from './shell/layout.tsx'
import { ErrorNotice } from './ui/error-notice.tsx'

/** Routes of all screens. Without a session, only the sign-in and an invitation exist. */
export function App() {
  const session = useSession()
  if (session.isPending) return null
  if (session.error)
    return (
      <main className="mx-auto max-w-xl p-6">
        <h1 className="sr-only">Lanyard console</h1>
        <ErrorNotice error={session.error} onRetry={() => void session.refetch()} />
      </main>
    )
  if (!session.data)
    return (
      <Routes>
        <Route path="invitation" element={<InvitationScreen />} />
        <Route path="denied/:reason" element={<DeniedScreen />} />
        <Route path="*" element={<SignInScreen />} />
      </Routes>
    )
  return (
    <Routes>
      <Route element={<Layout operator={session.data} />}>
        <Route index element={<OverviewScreen />} />
        <Route path="operations" element={<OperationsScreen />} />
        <Route path="operations/:hash" element={<OperationScreen />} />
        <Route path="accounts" element={<AccountsScreen />} />
        <Route path="accounts/:address" element={<AccountScreen />} />
        <Route path="policies" element={<PoliciesScreen />} />
        <Route path="policies/edit" element={<PolicyEditorScreen />} />
        <Route path="keys" element={<KeysScreen />} />
        <Route path="webhooks" element={<WebhooksScreen />} />
        <Route path="webhooks/:id" element={<WebhookScreen />} />
        <Route path="balance" element={<BalanceScreen />} />
        <Route path="approvals" element={<ApprovalsScreen />} />
        <Route path="audit" element={<AuditScreen />} />
        <Route path="operators" element={<OperatorsScreen />} />
        <Route path="passkeys" element={<PasskeysScreen />} />
        <Route path="*" element={<Navigate to="/" replace />} />
      </Route>
    </Routes>
  )
}
