// SPDX-License-Identifier: GPL-2.0
/* The character device: one rig per open, commands as ioctls. See bpf_gro_rig.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "rig.h"

static int rig_open(struct inode *inode, struct file *file)
{
	struct rig *rig;

	/* Crafted GSO packets can make the stack complain: not for the root of a container. */
	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	rig = kzalloc(sizeof(*rig), GFP_KERNEL);
	if (!rig)
		return -ENOMEM;
	mutex_init(&rig->setup);
	mutex_init(&rig->feed);
	skb_queue_head_init(&rig->queue);
	skb_queue_head_init(&rig->clones);
	file->private_data = rig;
	return nonseekable_open(inode, file);
}

static int rig_release(struct inode *inode, struct file *file)
{
	struct rig *rig = file->private_data;

	rig_dev_remove(rig);
	kvfree(rig->pending);
	kfree(rig);
	return 0;
}

static int rig_ioctl_setup(struct rig *rig, void __user *arg)
{
	struct rig_setup setup;
	int err;

	if (copy_from_user(&setup, arg, sizeof(setup)))
		return -EFAULT;
	mutex_lock(&rig->setup);
	err = rig->dev ? -EBUSY : rig_dev_setup(rig, &setup);
	mutex_unlock(&rig->setup);
	if (!err && copy_to_user(arg, &setup, sizeof(setup)))
		err = -EFAULT;
	return err;
}

static int rig_ioctl_set(struct rig *rig, void __user *arg)
{
	struct rig_set set;
	int err;

	if (copy_from_user(&set, arg, sizeof(set)))
		return -EFAULT;
	mutex_lock(&rig->setup);
	err = rig_dev_set(rig, &set);
	mutex_unlock(&rig->setup);
	return err;
}

static int rig_ioctl_feed(struct rig *rig, void __user *arg)
{
	struct rig_feed feed;
	int err;

	if (copy_from_user(&feed, arg, sizeof(feed)))
		return -EFAULT;
	mutex_lock(&rig->feed);
	err = rig_feed(rig, &feed);
	feed.queued = skb_queue_len(&rig->queue);
	mutex_unlock(&rig->feed);
	if (copy_to_user(arg, &feed, sizeof(feed)))
		err = -EFAULT;
	return err;
}

static int rig_ioctl_flush(struct rig *rig)
{
	int err;

	mutex_lock(&rig->feed);
	err = rig_flush(rig);
	mutex_unlock(&rig->feed);
	return err;
}

static int rig_ioctl_read(struct rig *rig, void __user *arg)
{
	struct rig_read read;
	int err;

	if (copy_from_user(&read, arg, sizeof(read)))
		return -EFAULT;
	mutex_lock(&rig->feed);
	err = rig_read(rig, &read);
	mutex_unlock(&rig->feed);
	if (copy_to_user(arg, &read, sizeof(read)))
		err = -EFAULT;
	return err;
}

static int rig_ioctl_measure(struct rig *rig, void __user *arg)
{
	struct rig_measure measure;
	int err;

	if (copy_from_user(&measure, arg, sizeof(measure)))
		return -EFAULT;
	mutex_lock(&rig->feed);
	err = rig_measure(rig, &measure);
	mutex_unlock(&rig->feed);
	if (copy_to_user(arg, &measure, sizeof(measure)))
		err = -EFAULT;
	return err;
}

static long rig_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct rig *rig = file->private_data;
	void __user *uarg = (void __user *)arg;

	if (cmd == RIG_SETUP)
		return rig_ioctl_setup(rig, uarg);

	/* Set once under `setup` and never cleared while the file is open. */
	if (!smp_load_acquire(&rig->dev))
		return -ENODEV;

	switch (cmd) {
	case RIG_SET:
		return rig_ioctl_set(rig, uarg);
	case RIG_FEED:
		return rig_ioctl_feed(rig, uarg);
	case RIG_FLUSH:
		return rig_ioctl_flush(rig);
	case RIG_READ:
		return rig_ioctl_read(rig, uarg);
	case RIG_MEASURE:
		return rig_ioctl_measure(rig, uarg);
	}
	return -ENOTTY;
}

static const struct file_operations rig_fops = {
	.owner		= THIS_MODULE,
	.open		= rig_open,
	.release	= rig_release,
	.unlocked_ioctl	= rig_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
};

static struct miscdevice rig_misc = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "bpf_gro_rig",
	.fops	= &rig_fops,
	.mode	= 0600,
};

static int __init rig_init(void)
{
	return misc_register(&rig_misc);
}

static void __exit rig_exit(void)
{
	misc_deregister(&rig_misc);
	/* A packet tap may still have a clone of a zero-copy packet. */
	while (refcount_read(&rig_ubuf.refcnt) > 1) {
		pr_notice_ratelimited("waiting for %u zero-copy packets\n",
				      refcount_read(&rig_ubuf.refcnt) - 1);
		msleep(1000);
	}
	/* The last put may still be on its way out of our code. */
	synchronize_rcu();
}

module_init(rig_init);
module_exit(rig_exit);
MODULE_DESCRIPTION("Test device that feeds packet trains of any geometry to GRO");
MODULE_LICENSE("GPL");
