// studio/bell.h - how a thread calls the main loop: however often it rings, one call is on its way.
//
//     SomBell *bell = som_bell_new(collect, panel);      // collect(panel) is called when it rang
//     worker = som_worker_create(som_bell_ring, bell);   // rung in the thread
//     ...
//     som_worker_destroy(worker);                        // nobody rings it afterwards
//     som_bell_silence(bell), som_bell_release(bell);    // nor is anybody called
//
// Counted: a call that is on its way holds it, and so may who rings it for longer than its owner
// lives (som_bell_hold, som_bell_release) after the owner has silenced it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

typedef struct SomBell SomBell;

SomBell *som_bell_new(void (*answer)(void *context), void *context);

void som_bell_ring(void *bell); // in any thread; as the `wake` of a worker

// In the main loop: nobody is called any more.
void som_bell_silence(SomBell *bell);

SomBell *som_bell_hold(SomBell *bell);
void som_bell_release(SomBell *bell);
