/**
 * The link of an invitation. The token is in the fragment, which browsers never send: it is in no log of a server or
 * proxy.
 */
export const invitationLink = (origin: string, token: string): string => `${origin}/invitation#${token}`
