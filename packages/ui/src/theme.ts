export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Read by `public/theme.js` before the first paint. */
const key = 'lanyard.theme'

/** The chosen theme. `system` if none was chosen. */
export function readTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return themes.find((candidate) => candidate === theme) ?? 'system'
}

/** Applies a theme and stores it. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}
