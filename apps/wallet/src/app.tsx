import { Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { screens } from './screens/screens.ts'
import { useSessionState } from './session/session-context.tsx'
import { useExpiredSession } from './session/use-expired-session.ts'
import { Layout } from './shell/layout.tsx'
import { LoadFailure } from './shell/load-failure.tsx'

/** Routes of all screens. Without a signed-in user, only the welcome screen exists. */
export function App() {
  const { session } = useSessionState()
  useExpiredSession()
  if (!session)
    return (
      <LoadFailure>
        <Suspense>
          <screens.Welcome />
        </Suspense>
      </LoadFailure>
    )
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<screens.Home />} />
        <Route path="send" element={<screens.Send />} />
        <Route path="send/anywhere" element={<screens.Spend />} />
        <Route path="receive" element={<screens.Receive />} />
        <Route path="deposit" element={<screens.Deposit />} />
        <Route path="take-out" element={<screens.Exit />} />
        <Route path="orders/:orderId" element={<screens.Order />} />
        <Route path="activity" element={<screens.Activity />} />
        <Route path="owners" element={<screens.Owners />} />
        <Route path="sessions" element={<screens.Sessions />} />
        <Route path="sessions/request" element={<screens.Request />} />
        <Route path="connected-apps" element={<screens.Connections />} />
        <Route path="*" element={<Navigate to="/" replace />} />
      </Route>
    </Routes>
  )
}
