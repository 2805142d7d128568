import { brand } from '@lanyard/ui'
import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { screens } from './screens/screens.ts'
import { Layout } from './shell/layout.tsx'
import { LoadFailure } from './shell/load-failure.tsx'
import { useExpiredSession, useSessionState } from './sign-in/session-context.tsx'

// Its own file: whoever opens the wallet does not need it.
const PublicFrame = lazy(async () => ({ default: (await import('./shell/public-frame.tsx')).PublicFrame }))

/**
 * Screens for people who are signed in nowhere: they lost every passkey, help others who did, come back from a login, or come
 * with a key of their own.
 */
const openScreens = new Map([
  ['/recover', screens.Recover],
  ['/login', screens.Login],
  ['/guardian', screens.Guardian],
  ['/become-guardian', screens.Invitation],
  ['/import', screens.Import],
])

/** Routes of all screens. Without a signed-in user, only the welcome screen exists. */
export function App() {
  const { session } = useSessionState()
  const { features } = brand
  useExpiredSession()
  const { pathname, hash } = useLocation()
  const OpenScreen = openScreens.get(pathname)
  if (OpenScreen)
    return (
      <LoadFailure key={pathname}>
        <Suspense>
          <PublicFrame>
            <OpenScreen />
          </PublicFrame>
        </Suspense>
      </LoadFailure>
    )
  // A page opens where its link points once its reader is signed in.
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
        <Route path="receive" element={<screens.Receive />} />
        {features.combinedBalance && <Route path="deposit" element={<screens.Deposit />} />}
        {/* What is deposited must be able to leave, whatever the operator shows. */}
        <Route path="take-out" element={<screens.Exit />} />
        <Route path="orders/:orderId" element={<screens.Order />} />
        <Route path="replace/:userOpHash/:how" element={<screens.Replace />} />
        <Route path="activity" element={<screens.Activity />} />
        <Route path="protection" element={<screens.Protection />} />
        {/* Bookmarks, and answers of guardians that are under way, name the screens of before. */}
        {['owners', 'guardians'].map((path) => (
          <Route
            key={path}
            path={path}
            element={<Navigate to={{ pathname: '/protection', hash }} replace />}
          />
        ))}
        {features.sessionKeys && <Route path="sessions" element={<screens.Sessions />} />}
        {features.sessionKeys && <Route path="sessions/request" element={<screens.Request />} />}
        {features.connectedApps && <Route path="connected-apps" element={<screens.Connections />} />}
        <Route path="contacts" element={<screens.Contacts />} />
        <Route path="*" element={<screens.NotFound />} />
      </Route>
    </Routes>
  )
}
