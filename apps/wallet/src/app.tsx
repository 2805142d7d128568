import { Navigate, Route, Routes } from 'react-router'
import { ActivityScreen } from './screens/activity/activity-screen.tsx'
import { DepositScreen } from './screens/deposit/deposit-screen.tsx'
import { ExitScreen } from './screens/exit/exit-screen.tsx'
import { HomeScreen } from './screens/home/home-screen.tsx'
import { OrderScreen } from './screens/orders/order-screen.tsx'
import { OwnersScreen } from './screens/owners/owners-screen.tsx'
import { SendScreen } from './screens/send/send-screen.tsx'
import { SessionsScreen } from './screens/sessions/sessions-screen.tsx'
import { SpendScreen } from './screens/spend/spend-screen.tsx'
import { WelcomeScreen } from './screens/welcome/welcome-screen.tsx'
import { useSessionState } from './session/session-context.tsx'
import { useExpiredSession } from './session/use-expired-session.ts'
import { Layout } from './shell/layout.tsx'

/** Every screen. Without a session there is one: the welcome. */
export function App() {
  const { session } = useSessionState()
  useExpiredSession()
  if (!session) return <WelcomeScreen />
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<HomeScreen />} />
        <Route path="send" element={<SendScreen />} />
        <Route path="send/anywhere" element={<SpendScreen />} />
        <Route path="deposit" element={<DepositScreen />} />
        <Route path="take-out" element={<ExitScreen />} />
        <Route path="orders/:orderId" element={<OrderScreen />} />
        <Route path="activity" element={<ActivityScreen />} />
        <Route path="owners" element={<OwnersScreen />} />
        <Route path="sessions" element={<SessionsScreen />} />
        <Route path="*" element={<Navigate to="/" replace />} />
      </Route>
    </Routes>
  )
}
