// SPDX-License-Identifier: GPL-2.0
/* The network device of a rig. What is sent to it is dropped. */
#include <linux/etherdevice.h>
#include <linux/nsproxy.h>
#include <linux/rtnetlink.h>

#include "rig.h"

static int rig_poll(struct napi_struct *napi, int budget)
{
	/* Only busy polling and a missed event come here: there is never anything to receive. */
	napi_complete_done(napi, 0);
	return 0;
}

static int rig_ndo_open(struct net_device *dev)
{
	struct rig *rig = rig_of(dev);

	napi_enable(&rig->napi);
	mutex_lock(&rig->feed);
	rig->up = true;
	mutex_unlock(&rig->feed);
	netif_carrier_on(dev);
	return 0;
}

static int rig_ndo_stop(struct net_device *dev)
{
	struct rig *rig = rig_of(dev);

	netif_carrier_off(dev);
	mutex_lock(&rig->feed);
	/* An open poll would make napi_disable() wait for ever. */
	if (rig->held) {
		local_bh_disable();
		rig_poll_end(rig);
		local_bh_enable();
	}
	rig->up = false;
	mutex_unlock(&rig->feed);
	napi_disable(&rig->napi);
	return 0;
}

static netdev_tx_t rig_ndo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	consume_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops rig_netdev_ops = {
	.ndo_open		= rig_ndo_open,
	.ndo_stop		= rig_ndo_stop,
	.ndo_start_xmit		= rig_ndo_xmit,
	.ndo_set_mac_address	= eth_mac_addr,
	.ndo_validate_addr	= eth_validate_addr,
	.ndo_bpf		= rig_xdp,
};

static const struct {
	u32 rig;
	netdev_features_t feature;
} rig_features[] = {
	{ RIG_FEAT_GRO,			NETIF_F_GRO },
	{ RIG_FEAT_GRO_FRAGLIST,	NETIF_F_GRO_FRAGLIST },
	{ RIG_FEAT_GRO_UDP_FWD,		NETIF_F_GRO_UDP_FWD },
	{ RIG_FEAT_GRO_HW,		NETIF_F_GRO_HW },
	{ RIG_FEAT_RXCSUM,		NETIF_F_RXCSUM },
};

static const u8 rig_mac[ETH_ALEN] = { 0x02, 'r', 'i', 'g', 0, 1 };

static void rig_dev_init(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &rig_netdev_ops;
	dev->priv_flags |= IFF_NO_QUEUE | IFF_LIVE_ADDR_CHANGE;
	dev->max_mtu = RIG_MAX_FRAME;
	dev->hw_features = NETIF_F_RXCSUM | NETIF_F_GRO_HW;
	dev->features = NETIF_F_HIGHDMA;
	dev->xdp_features = NETDEV_XDP_ACT_BASIC | NETDEV_XDP_ACT_RX_SG;
	/* The same for every rig, so that results do not depend on which one it is. */
	eth_hw_addr_set(dev, rig_mac);
}

static int rig_features_set(struct net_device *dev, u32 features)
{
	u32 known = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(rig_features); i++) {
		known |= rig_features[i].rig;
		dev->wanted_features &= ~rig_features[i].feature;
		if (features & rig_features[i].rig)
			dev->wanted_features |= rig_features[i].feature;
	}
	if (features & ~known)
		return -EINVAL;
	netdev_update_features(dev);
	return 0;
}

static void rig_limits_set(struct net_device *dev, u32 size, u32 ipv4_size)
{
	/* As netif_set_gro_max_size() does, which is not exported. */
	if (size) {
		WRITE_ONCE(dev->gro_max_size, size);
		if (size <= GRO_LEGACY_MAX_SIZE)
			WRITE_ONCE(dev->gro_ipv4_max_size, size);
	}
	if (ipv4_size)
		WRITE_ONCE(dev->gro_ipv4_max_size, ipv4_size);
}

static int rig_limits_check(u32 size, u32 ipv4_size)
{
	return size > GRO_MAX_SIZE || ipv4_size > GRO_MAX_SIZE ? -ERANGE : 0;
}

static int rig_pool_create(struct rig *rig)
{
	struct page_pool_params params = {
		.order		= 0,
		.pool_size	= 256,
		.nid		= NUMA_NO_NODE,
	};
	struct page_pool *pool;

	pool = page_pool_create(&params);
	if (IS_ERR(pool))
		return PTR_ERR(pool);
	rig->pool = pool;
	return 0;
}

/* Under RTNL, after registering. */
static int rig_dev_start(struct rig *rig, struct net_device *dev, const struct rig_setup *setup)
{
	int err;

	err = rig_features_set(dev, setup->features);
	if (err)
		return err;
	rig_limits_set(dev, setup->gro_max_size, setup->gro_ipv4_max_size);
	if (!(setup->flags & RIG_SETUP_NO_CAPTURE)) {
		err = netdev_rx_handler_register(dev, rig_capture, rig);
		if (err)
			return err;
		rig->capture = true;
	}
	if (!(setup->flags & RIG_SETUP_DOWN))
		err = dev_open(dev, NULL);
	return err;
}

static void rig_dev_stop(struct rig *rig, struct net_device *dev)
{
	/* Down first: what is held still comes up and is captured. */
	dev_close(dev);
	if (rig->capture)
		netdev_rx_handler_unregister(dev);
	rig->capture = false;
	unregister_netdevice(dev);
}

int rig_dev_setup(struct rig *rig, struct rig_setup *setup)
{
	struct net_device *dev;
	int err;

	if (setup->abi != RIG_ABI)
		return -EPROTO;
	if (setup->flags & ~(RIG_SETUP_NO_CAPTURE | RIG_SETUP_DOWN))
		return -EINVAL;
	if (strnlen(setup->name, RIG_NAME_LEN) == RIG_NAME_LEN || setup->mtu > RIG_MAX_FRAME)
		return -EINVAL;
	err = rig_limits_check(setup->gro_max_size, setup->gro_ipv4_max_size);
	if (err)
		return err;

	dev = alloc_netdev(sizeof(struct rig_priv), *setup->name ? setup->name : "rig%d",
			   *setup->name ? NET_NAME_USER : NET_NAME_ENUM, rig_dev_init);
	if (!dev)
		return -ENOMEM;
	((struct rig_priv *)netdev_priv(dev))->rig = rig;
	dev_net_set(dev, current->nsproxy->net_ns);
	if (setup->mtu)
		dev->mtu = setup->mtu;
	netif_napi_add(dev, &rig->napi, rig_poll);
	err = rig_pool_create(rig);
	if (err)
		goto err_free;
	err = xdp_rxq_info_reg(&rig->rxq, dev, 0, 0);
	if (err)
		goto err_pool;

	rtnl_lock();
	err = register_netdevice(dev);
	if (err) {
		rtnl_unlock();
		goto err_rxq;
	}
	netif_carrier_off(dev);
	err = rig_dev_start(rig, dev, setup);
	if (err) {
		rig_dev_stop(rig, dev);
		rtnl_unlock();
		goto err_rxq;
	}
	setup->ifindex = dev->ifindex;
	ether_addr_copy(setup->mac, dev->dev_addr);
	strscpy(setup->name, dev->name, sizeof(setup->name));
	rtnl_unlock();

	/* Pairs with the check in rig_ioctl(). */
	smp_store_release(&rig->dev, dev);
	return 0;

err_rxq:
	xdp_rxq_info_unreg(&rig->rxq);
err_pool:
	rig_queue_drop(rig);
	page_pool_destroy(rig->pool);
	rig->pool = NULL;
err_free:
	free_netdev(dev);
	return err;
}

int rig_dev_set(struct rig *rig, const struct rig_set *set)
{
	int err;

	err = rig_limits_check(set->gro_max_size, set->gro_ipv4_max_size);
	if (err)
		return err;
	rtnl_lock();
	err = rig_features_set(rig->dev, set->features);
	if (!err)
		rig_limits_set(rig->dev, set->gro_max_size, set->gro_ipv4_max_size);
	rtnl_unlock();
	return err;
}

/* The last user of the file is gone: nobody else is here. */
void rig_dev_remove(struct rig *rig)
{
	struct net_device *dev = rig->dev;

	if (!dev)
		return;
	rtnl_lock();
	rig_dev_stop(rig, dev);
	rtnl_unlock();
	/* Packets first: they hold pages of the pool. */
	rig_queue_drop(rig);
	xdp_rxq_info_unreg(&rig->rxq);
	page_pool_destroy(rig->pool);
	free_netdev(dev);
}
