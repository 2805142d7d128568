// The address stays as it was, its fragment too, in which an app's request may stand.
const reload = () => location.reload()
for (const button of document.querySelectorAll('button')) button.addEventListener('click', reload)
addEventListener('online', reload)
