/** The path at which tRPC is served. */
export const trpcPath = '/trpc'

export const isTrpcPath = (path: string): boolean => path === trpcPath || path.startsWith(`${trpcPath}/`)
