// Runs the examples of the gallery, each as its code says.

/** @type {Record<string, (section: HTMLElement, button: HTMLButtonElement) => void>} */
const EXAMPLES = {
  bubble: () => Walkon.open('maya'),
  inline(section) {
    const chat = document.createElement('walkon-chat')
    for (const [name, value] of Object.entries({ scenario: 'launch-decision', npc: 'ines', mode: 'inline' }))
      chat.setAttribute(name, value)
    section.querySelector('.place').replaceChildren(chat)
  },
  full: () => Walkon.add({ scenario: 'launch-decision', npc: 'marcus', mode: 'full', launcher: 'none' }).open(),
  dark(_, button) {
    const isDark = document.documentElement.classList.toggle('dark')
    Walkon.setTheme(isDark ? 'dark' : 'auto')
    button.textContent = isDark ? 'Back to the system’s colours' : 'Switch to dark'
  },
  language(_, button) {
    const isArabic = button.textContent === 'Switch to Arabic'
    Walkon.setLocale(isArabic ? 'ar' : 'en')
    Walkon.open('maya')
    button.textContent = isArabic ? 'Back to English' : 'Switch to Arabic'
  },
  two: () => Walkon.add({ scenario: 'launch-decision', npc: 'otto', name: 'guide', position: 'start' }),
  consent: () =>
    Walkon.add({
      scenario: 'launch-decision',
      npc: 'maya',
      name: 'asks',
      consent: 'required',
      launcher: 'none',
    }).open(),
  diagnose: () => Walkon.diagnose(),
}

document.addEventListener('click', ({ target }) => void press(target))

/** @param {EventTarget | null} target */
async function press(target) {
  const button = target instanceof Element ? target.closest('button[data-act]') : null
  const section = button?.closest('[data-show]')
  if (!section) return
  if (button.dataset.act === 'show') return EXAMPLES[section.dataset.show](section, button)
  const said = button.textContent
  try {
    await navigator.clipboard.writeText(section.querySelector('code').textContent)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Select the code and copy it'
  }
  setTimeout(() => (button.textContent = said), 2_000)
}
