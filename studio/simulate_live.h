// studio/simulate_live.h - the session of a window: woken from its thread, and shown in the view
// while the window is in the mode for it.
//
//     SomSession *session = som_window_session(window);   // made when it is first asked for
//     som_session_listen(session, on_change, panel);
//
// A run goes on while other modes are shown. When the window is closed it ends by itself, which the
// main loop does not wait for; the application does, before it leaves.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/simulate_session.h"
#include "studio/window.h"

SomSession *som_window_session(SomWindow *window);

// When the window is disposed; and when nothing of it can ask for the session any more.
void som_window_end_session(SomWindow *window);
void som_window_free_session(SomWindow *window);
