import { Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { brand } from './brand/brand.ts'
import { screens } from './screens/screens.ts'
import { useSessionState } from './session/session-context.tsx'
import { useExpiredSession } from './session/use-expired-session.ts'
import { Layout } from './shell/layout.tsx'
import { LoadFailure } from './shell/load-failure.tsx'

/** Routes of all screens. Without a signed-in user, only the welcome screen exists. */
export function App() {
  const { session } = useSessionState()
  const { features } = brand
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
        {features.combinedBalance && <Route path="send/anywhere" element={<screens.Spend />} />}
        <Route path="receive" element={<screens.Receive />} />
        {features.combinedBalance && <Route path="deposit" element={<screens.Deposit />} />}
        {/* What is deposited must be able to leave, whatever the operator shows. */}
        <Route path="take-out" element={<screens.Exit />} />
        <Route path="orders/:orderId" element={<screens.Order />} />
        <Route path="replace/:userOpHash/:how" element={<screens.Replace />} />
        <Route path="activity" element={<screens.Activity />} />
        <Route path="owners" element={<screens.Owners />} />
        {features.sessionKeys && <Route path="sessions" element={<screens.Sessions />} />}
        {features.sessionKeys && <Route path="sessions/request" element={<screens.Request />} />}
        {features.connectedApps && <Route path="connected-apps" element={<screens.Connections />} />}
        <Route path="*" element={<Navigate to="/" replace />} />
      </Route>
    </Routes>
  )
}
