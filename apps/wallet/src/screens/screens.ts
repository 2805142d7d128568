import { type ComponentType, lazy } from 'react'

type Load = () => Promise<{ default: ComponentType }>

/** Each screen is a separate file: the first screen does not wait for the others. */
const loads = {
  Welcome: async () => ({ default: (await import('./welcome/welcome-screen.tsx')).WelcomeScreen }),
  Home: async () => ({ default: (await import('./home/home-screen.tsx')).HomeScreen }),
  Send: async () => ({ default: (await import('./send/send-screen.tsx')).SendScreen }),
  Deposit: async () => ({ default: (await import('./deposit/deposit-screen.tsx')).DepositScreen }),
  Exit: async () => ({ default: (await import('./exit/exit-screen.tsx')).ExitScreen }),
  Order: async () => ({ default: (await import('./orders/order-screen.tsx')).OrderScreen }),
  Activity: async () => ({ default: (await import('./activity/activity-screen.tsx')).ActivityScreen }),
  Replace: async () => ({ default: (await import('./replace/replace-screen.tsx')).ReplaceScreen }),
  Receive: async () => ({ default: (await import('./receive/receive-screen.tsx')).ReceiveScreen }),
  Protection: async () => ({
    default: (await import('./protection/protection-screen.tsx')).ProtectionScreen,
  }),
  Recover: async () => ({ default: (await import('./recover/recover-screen.tsx')).RecoverScreen }),
  Invitation: async () => ({
    default: (await import('./recover/invitation-screen.tsx')).InvitationScreen,
  }),
  Login: async () => ({ default: (await import('./login/login-screen.tsx')).LoginScreen }),
  Guardian: async () => ({ default: (await import('./recover/guardian-screen.tsx')).GuardianScreen }),
  Import: async () => ({ default: (await import('./import/import-screen.tsx')).ImportScreen }),
  Sessions: async () => ({ default: (await import('./session-keys/sessions-screen.tsx')).SessionsScreen }),
  Connections: async () => ({
    default: (await import('./connections/connections-screen.tsx')).ConnectionsScreen,
  }),
  Contacts: async () => ({ default: (await import('./contacts/contacts-screen.tsx')).ContactsScreen }),
  Request: async () => ({ default: (await import('./session-keys/request-screen.tsx')).RequestScreen }),
  NotFound: async () => ({ default: (await import('./not-found-screen.tsx')).NotFoundScreen }),
} satisfies Record<string, Load>

/** How often a screen's file is requested while the browser reports that it is online. */
const maxAttempts = 5

/** A failed file may load once the connection is back, which the browser reports with a delay. */
const untilNextAttempt = () =>
  new Promise((resolve) => {
    addEventListener('online', resolve, { once: true })
    if (navigator.onLine) setTimeout(resolve, 500)
  })

/** Retries by itself, since React caches the first result of `lazy`. */
const open = (load: Load) =>
  lazy(async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await load()
      } catch (error) {
        if (navigator.onLine && attempt >= maxAttempts) throw error
        await untilNextAttempt()
      }
    }
  })

export const screens = {
  Welcome: open(loads.Welcome),
  Home: open(loads.Home),
  Send: open(loads.Send),
  Deposit: open(loads.Deposit),
  Exit: open(loads.Exit),
  Order: open(loads.Order),
  Activity: open(loads.Activity),
  Replace: open(loads.Replace),
  Receive: open(loads.Receive),
  Protection: open(loads.Protection),
  Recover: open(loads.Recover),
  Invitation: open(loads.Invitation),
  Login: open(loads.Login),
  Guardian: open(loads.Guardian),
  Import: open(loads.Import),
  Sessions: open(loads.Sessions),
  Connections: open(loads.Connections),
  Contacts: open(loads.Contacts),
  Request: open(loads.Request),
  NotFound: open(loads.NotFound),
}

/** Loads all screens one after the other, so that each opens immediately, even without a connection. */
export async function preloadScreens(): Promise<void> {
  // A failed file is requested again when its screen opens, and the error is shown there.
  for (const load of Object.values(loads)) await load().catch(() => undefined)
}
