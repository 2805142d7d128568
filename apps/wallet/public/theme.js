// Runs before the first paint, so that a chosen theme does not flash. A file of its own: the content security
// policy allows no inline script. `src/theme/theme.ts` writes the value.
try {
  const theme = localStorage.getItem('lanyard.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system's theme stays.
}
