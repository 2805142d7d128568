const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

/** The browser and the system that a user agent names, as people call them. Otherwise its beginning. */
export function browserOf(userAgent: string): string {
  const browser = browsers.find(([token]) => userAgent.includes(`${token}/`))?.[1]
  const [system] = /iPhone|iPad|Android|Windows|Mac OS X|CrOS|Linux/.exec(userAgent) ?? []
  if (browser === undefined) return userAgent.slice(0, 60)
  return system === undefined ? browser : `${browser}, ${system}`
}
