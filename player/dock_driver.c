// SPDX-License-Identifier: Apache-2.0
#include "player/dock_driver.h"

static void move(SomDockDriver *dock, SomDockState to, double seconds, double dt) {
    if (dock->state == (uint8_t)to) {
        return;
    }
    SomDockState from = to == SOM_DOCK_OPEN ? SOM_DOCK_CLOSED : SOM_DOCK_OPEN;
    if (dock->state != SOM_DOCK_MOVING || dock->from != (uint8_t)from) {
        dock->state = SOM_DOCK_MOVING;
        dock->from = (uint8_t)from;
        dock->since = 0;
    }
    dock->since += som_tick_length(dt);
    if (dock->since >= seconds - SOM_TIME_SLACK) {
        dock->state = (uint8_t)to;
        dock->since = 0;
    }
}

static void go_back(SomDockDriver *dock) {
    if (dock->state == SOM_DOCK_MOVING) {
        dock->state = dock->from;
        dock->since = 0;
    }
}

void som_dock_driver_step(const SomDockModel *model, SomDockDriver *dock, SomDockCommand command,
                          double gap, double dt) {
    if (dock->is_torn) {
        dock->state = SOM_DOCK_OPEN;
        return;
    }
    switch (command) {
    case SOM_DOCK_CONNECT:
        if (gap <= model->reach || dock->state == SOM_DOCK_CLOSED) {
            move(dock, SOM_DOCK_CLOSED, model->closing, dt);
        } else {
            dock->state = SOM_DOCK_OPEN;
            dock->since = 0;
        }
        break;
    case SOM_DOCK_DISCONNECT:
        move(dock, SOM_DOCK_OPEN, model->opening, dt);
        break;
    case SOM_DOCK_LEAVE:
        go_back(dock);
        break;
    }
}
