// SPDX-License-Identifier: Apache-2.0
// Gaits of LTLMoP's CKBot robots → behaviors.
//
// The first row of a fixed gait is where it is at its start, the last where it is after its time,
// the others at equal times between; joints go straight from row to row. A joint of a periodic gait
// goes as A sin(w t + p). LTLMoP repeats both until another is chosen; one pass is written, with
// its rate as a parameter, since LTLMoP's hinges are as fast as they are told to be.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/ckbot.h"
#include "modules/joint_limit.h"
#include "space/trigonometry.h"

#include <math.h>

#define DEGREE (SOM_PI / 180)
#define UNIT (0.01 * DEGREE) // of angles in files
#define MOST_PERIOD 100      // seconds: longer ones are not waited for
#define FINEST 1e-6          // of frequencies, rad/s

typedef struct Writer {
    SomImporter *importer;
    const SomCkbot *ckbot;
    const SomCkbotGait *gait;
    const SomModuleJoint *hinge;
    int beyond;     // joints that go farther than it
    bool is_beyond; // the one that is written
    double fastest; // speed of a joint
    SomText out;
} Writer;

static void begin_joint(Writer *w, int module) {
    som_text_printf(&w->out, "%sM%d.hinge ", module > 0 ? ", " : "", module);
}

// The angle, or the limit of the hinge that it exceeds.
static double limit(Writer *w, double angle) {
    bool is_beyond = som_limit_fit(w->hinge->low, w->hinge->high, angle) == SOM_LIMIT_BEYOND;
    w->is_beyond = w->is_beyond || is_beyond;
    return is_beyond ? fmin(fmax(angle, w->hinge->low), w->hinge->high) : angle;
}

static void end_joint(Writer *w) {
    w->beyond += w->is_beyond;
    w->is_beyond = false;
}

// ---- fixed

static void write_fixed_joint(Writer *w, int module, const double *times, double step) {
    int modules = w->ckbot->module_count, rows = w->gait->row_count;
    double *angles = som_alloc((size_t)(rows + 1) * sizeof *angles);
    for (int i = 0; i < rows; i++) {
        angles[i] = limit(w, som_tidy_angle(w->gait->numbers.data[i * modules + module] * UNIT));
        double way = i > 0 ? fabs(angles[i] - angles[i - 1]) : 0;
        w->fastest = fmax(w->fastest, way / step);
    }
    angles[rows] = angles[rows - 1]; // a single one is held
    begin_joint(w, module);
    som_text_add(&w->out, SOM_STR("follow "));
    som_write_course(&w->out, times, angles, 1, rows > 1 ? rows : 2, SOM_STR("/rate"));
    som_text_add(&w->out, SOM_STR(" during "));
    som_write_seconds(&w->out, w->gait->seconds);
    som_text_add(&w->out, SOM_STR("/rate"));
    end_joint(w);
    som_free(angles);
}

static void write_fixed(Writer *w) {
    int rows = w->gait->row_count, steps = rows > 1 ? rows - 1 : 1;
    double *times = som_alloc((size_t)(rows + 1) * sizeof *times);
    for (int i = 0; i <= steps; i++) {
        double time = w->gait->seconds * i / steps;
        times[i] = w->gait->seconds / steps > 1e-3 ? round(time * 1e6) / 1e6 : time;
    }
    times[steps] = w->gait->seconds;
    for (int i = 0; i < w->ckbot->module_count; i++) {
        write_fixed_joint(w, i, times, w->gait->seconds / steps);
    }
    som_free(times);
}

// ---- periodic

// The largest frequency that all of them are multiples of; 0 if all stand still, or there is none.
static double common_frequency(const Writer *w) {
    int modules = w->ckbot->module_count;
    double common = 0;
    for (int i = 0; i < modules; i++) {
        double scaled = fabs(w->gait->numbers.data[modules + i]) / FINEST, whole = round(scaled);
        if (fabs(scaled - whole) > 1e-3 || whole > 1e12) {
            return 0;
        }
        while (whole > 0) { // Euclid
            double rest = fmod(common, whole);
            common = whole;
            whole = rest;
        }
    }
    return common * FINEST;
}

static double slowest_frequency(const Writer *w) {
    int modules = w->ckbot->module_count;
    double slowest = 0;
    for (int i = 0; i < modules; i++) {
        double own = fabs(w->gait->numbers.data[modules + i]);
        slowest = own > 0 && (slowest == 0 || own < slowest) ? own : slowest;
    }
    return slowest;
}

// One period of all: "360deg/(rate*6rad/s)".
static void find_period(const Writer *w, SomText *out) {
    double slowest = slowest_frequency(w), common = common_frequency(w);
    bool has_none = slowest > 0 && !(common > 2 * SOM_PI / MOST_PERIOD);
    if (has_none) {
        som_report(w->importer->diags, SOM_CKBOT_NO_PERIOD, w->gait->span,
                   "the frequencies of this gait have no common period of at most %d s",
                   MOST_PERIOD);
    }
    double frequency = has_none ? fmax(slowest, 2 * SOM_PI / MOST_PERIOD) : common;
    if (frequency > 0) {
        som_text_add(out, SOM_STR("360deg/(rate*"));
        som_text_number(out, som_number_round(frequency, 12));
        som_text_add(out, SOM_STR("rad/s)"));
    } else {
        som_text_add(out, SOM_STR("1s/rate"));
    }
}

static void write_periodic(Writer *w) {
    int modules = w->ckbot->module_count;
    const double *numbers = w->gait->numbers.data;
    SomText period = {0};
    find_period(w, &period);
    for (int i = 0; i < modules; i++) {
        double amplitude = som_tidy_angle(numbers[i] * UNIT), frequency = numbers[modules + i];
        double phase = som_tidy_angle(numbers[2 * modules + i] * UNIT);
        begin_joint(w, i);
        if (amplitude == 0 || frequency == 0) {
            double angle = limit(w, som_tidy_angle(amplitude * som_sin(phase)));
            som_text_add(&w->out, SOM_STR("to "));
            som_write_angle(&w->out, angle);
        } else {
            amplitude = limit(w, limit(w, fabs(amplitude)) * -1) * (amplitude < 0 ? 1 : -1);
            som_text_add(&w->out, SOM_STR("follow "));
            som_write_angle(&w->out, amplitude);
            w->fastest = fmax(w->fastest, fabs(amplitude * frequency));
            som_text_add(&w->out, SOM_STR("*sin(rate*"));
            som_text_number(&w->out, frequency);
            som_text_add(&w->out, SOM_STR("rad/s*t"));
            if (phase != 0) {
                som_text_add(&w->out, phase < 0 ? SOM_STR(" - ") : SOM_STR(" + "));
                som_write_angle(&w->out, fabs(phase));
            }
            som_text_add(&w->out, SOM_STR(")"));
        }
        som_text_printf(&w->out, " during %s", period.data);
        end_joint(w);
    }
    som_text_free(&period);
}

// ---- all

// "rate: number = 1", or less if hinges are not fast enough.
static void write_parameter(const Writer *w, SomText *out) {
    double rate = 1;
    if (w->hinge->speed > 0 && w->fastest > w->hinge->speed) {
        rate = som_number_round(0.995 * w->hinge->speed / w->fastest, 3);
        SomText speeds = {0};
        som_text_rounded(&speeds, w->fastest / DEGREE, 3);
        som_text_add(&speeds, SOM_STR(" deg/s, of which hinges do "));
        som_text_rounded(&speeds, w->hinge->speed / DEGREE, 3);
        som_report(w->importer->diags, SOM_CKBOT_SLOWED, w->gait->span,
                   "this gait needs %s; it is slowed down", speeds.data);
        som_text_free(&speeds);
    }
    som_text_add(out, SOM_STR("rate: number = "));
    som_text_number(out, rate);
}

static void add_gait(Writer *w, SomImportRobot *robot) {
    SomText parameters = {0}, wanted = {0};
    w->beyond = 0;
    w->fastest = 0;
    som_text_clear(&w->out);
    if (w->gait->is_periodic) {
        write_periodic(w);
    } else {
        write_fixed(w);
    }
    write_parameter(w, &parameters);
    if (w->beyond > 0) {
        som_report(w->importer->diags, SOM_IMPORT_JOINT_BEYOND_LIMIT, w->gait->span,
                   "%d joint%s farther than the hinge of a module, and %s limited to what it does",
                   w->beyond, w->beyond > 1 ? "s go" : " goes", w->beyond > 1 ? "are" : "is");
    }
    som_text_add(&wanted, SOM_STR("gait_"));
    som_text_add(&wanted, w->gait->name);
    SomStr name;
    SomText *out =
        som_import_robot_behavior_with(w->importer, robot, som_text_str(&wanted),
                                       som_text_str(&parameters), w->gait->remark, &name);
    som_text_printf(out, "parallel(%s)\n", w->out.data);
    som_text_free(&parameters);
    som_text_free(&wanted);
}

void som_ckbot_add_gaits(SomImporter *importer, const SomCkbot *ckbot, SomImportRobot *robot,
                         const SomModuleJoint *hinge) {
    Writer w = {.importer = importer, .ckbot = ckbot, .hinge = hinge};
    for (int i = 0; i < ckbot->gaits.count; i++) {
        w.gait = &ckbot->gaits.data[i];
        add_gait(&w, robot);
    }
    if (ckbot->gaits.count > 0 && ckbot->has_gain) {
        SomText gain = {0};
        som_text_number(&gain, ckbot->gain);
        som_report(importer->diags, SOM_CKBOT_GAIN, ckbot->gain_span,
                   "hinges of LTLMoP follow with the gain %s, these with that of their servos",
                   gain.data);
        som_text_free(&gain);
    }
    som_text_free(&w.out);
}
